"""JMH's own default: 5 x 10 s of warm-up, before JMH 1.21 20 x 1 s."""

from __future__ import annotations

from detectors.api import Context, Detector, Source, parameter
from detectors.rules.harnesses import configured

DEFAULTS = {
    "since-1.21": configured.WarmUpConfiguration(5, 10.0, 5, 10.0),
    "before-1.21": configured.WarmUpConfiguration(20, 1.0, 20, 1.0),
}
ONE_SHOT = configured.WarmUpConfiguration(0, 0.0, 1, 0.0)


class JmhDefault(configured.ConfiguredWarmUp):
    slug, version = "jmh-default", "4"
    title = "JMH default"
    code, slot = "JMH", 13
    source = Source(
        "JMH, org.openjdk.jmh.runner.Defaults; simulated as by Traini, Cortellessa, Di Pompeo & "
        "Tucci 2023, Towards effective assessment of steady state performance in Java software",
        doi="10.1007/s10664-022-10247-x",
        url="https://github.com/SEALABQualityGroup/steady-state",
        section="create_defaultconfig.py",
    )
    family = "Baselines"

    class Params(Detector.Params):
        jmh: str = parameter(
            "since-1.21",
            choices=tuple(DEFAULTS),
            help="Whose defaults: 5 iterations of 10 s since JMH 1.21, 20 of 1 s before.",
        )
        iteration_time: float = configured.iteration_time_parameter()

    params: Params

    def configuration(self, context: Context) -> configured.WarmUpConfiguration:
        return ONE_SHOT if context.mode == configured.SINGLE_SHOT else DEFAULTS[self.params.jmh]

"""JMH's own default: 5 x 10 s of warm-up, before JMH 1.21 20 x 1 s."""

from __future__ import annotations

from detectors.contract import Context, Parameters, Source, parameter
from detectors.rules.configured import (
    SINGLE_SHOT,
    ConfiguredWarmUp,
    WarmUpConfiguration,
    iteration_time_parameter,
)

DEFAULTS = {
    "since-1.21": WarmUpConfiguration(5, 10.0, 5, 10.0),
    "before-1.21": WarmUpConfiguration(20, 1.0, 20, 1.0),
}
ONE_SHOT = WarmUpConfiguration(0, 0.0, 1, 0.0)


class JmhDefault(ConfiguredWarmUp):
    slug, version = "jmh-default", "3"
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

    class Params(Parameters):
        jmh: str = parameter(
            "since-1.21",
            choices=tuple(DEFAULTS),
            help="Whose defaults: 5 iterations of 10 s since JMH 1.21, 20 of 1 s before.",
        )
        iteration_time: float = iteration_time_parameter()

    params: Params

    def configuration(self, context: Context) -> WarmUpConfiguration:
        return ONE_SHOT if context.mode == SINGLE_SHOT else DEFAULTS[self.params.jmh]

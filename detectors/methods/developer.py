"""The warm-up that the benchmark's developers configured: the state of practice.

The settings come with the series, as JMH stores them. Where they are missing there is no answer:
a guess would pass for their decision.
"""

from __future__ import annotations

from detectors.api import Context, Detector, Source, parameter
from detectors.contract import NotAvailable
from detectors.rules.harnesses import configured

AS_CONFIGURED = -1


class Developer(configured.ConfiguredWarmUp):
    slug, version = "developer", "4"
    title = "Developers' configuration"
    code, slot = "DEV", 12
    source = Source(
        "Traini, Cortellessa, Di Pompeo & Tucci 2023, Towards effective assessment of steady "
        "state performance in Java software: are we there yet?",
        doi="10.1007/s10664-022-10247-x",
        url="https://github.com/SEALABQualityGroup/steady-state",
        section="state of practice; devconfig.py",
    )
    family = "Baselines"
    needs = ("settings",)

    class Params(Detector.Params):
        warmup_iterations: int = parameter(
            AS_CONFIGURED,
            low=AS_CONFIGURED,
            high=1_000_000,
            unit="iterations",
            help="Configured iterations of warm-up; -1: as the series' settings say.",
        )
        warmup_seconds: float = parameter(
            0.0,
            low=0.0,
            high=1e6,
            unit="s",
            help="Length of a configured iteration; 0: as the series' settings say.",
        )
        zero_warmup: str = parameter(
            "exact",
            choices=("exact", "published"),
            help="No warm-up configured means none (exact), or one iteration (published).",
        )
        iteration_time: float = configured.iteration_time_parameter()

    params: Params

    def configuration(self, context: Context) -> configured.WarmUpConfiguration:
        p = self.params
        iterations = p.warmup_iterations
        if iterations == AS_CONFIGURED:
            iterations = int(_setting(context, "warmup_iterations"))
        seconds = p.warmup_seconds
        # Single shots, and a warm-up of no iterations, have no length.
        if not seconds and iterations and context.mode != configured.SINGLE_SHOT:
            seconds = _setting(context, "warmup_seconds")
        return configured.WarmUpConfiguration(
            iterations,
            seconds,
            int(_numeric_setting(context, "measurement_iterations") or 0),
            _numeric_setting(context, "measurement_seconds") or 0.0,
            none_takes_one=p.zero_warmup == "published",
        )


def _setting(context: Context, name: str) -> float:
    setting = _numeric_setting(context, name)
    if setting is None:
        raise NotAvailable(f"no settings: the series does not say its {name.replace('_', ' ')}")
    return setting


def _numeric_setting(context: Context, name: str) -> float | None:
    setting = context.settings.get(name)
    return None if setting is None or isinstance(setting, str) or setting < 0 else float(setting)

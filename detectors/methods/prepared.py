"""Prepared: another method, asked for the series after outliers, cycles or noise were taken off.

A method of Plateau's own. Which preparation helps depends on the method; `auto` prepares only
where that was measured, and says what it did.
"""

from __future__ import annotations

from dataclasses import replace

from detectors.api import Context, Detection, Detector, Source, Values, draw, parameter
from detectors.contract import ParameterError, as_series
from detectors.contract.parameters import parameter_text
from detectors.preparation.helpful_steps import PREPARED_WORDS, Preparation, preparation_of
from detectors.preparation.steps import CHOICES
from detectors.registry import UnknownDetector, canonical_key, from_key

METHOD = ("t-test",)  # the one that gains


class Prepared(Detector):
    slug, version = "prepared", "2"
    title = "Prepared series"
    code, slot = "PREP", 57
    source = Source("Plateau; no publication")
    family = "Combinations"
    cost = "quick"

    class Params(Detector.Params):
        method: tuple[str, ...] = parameter(
            METHOD, low=1, high=1, help="Key of the detector that is asked."
        )
        by: str = parameter(
            "auto",
            choices=CHOICES,
            help="What is done with the values: what helps this method, or one step whatever the "
            "method.",
        )

        def check(self) -> None:
            # The default is read before there is a registry to ask.
            if self.method != METHOD:
                self.texts()

        def texts(self) -> dict[str, str]:
            """Texts of the parameters, with the key of the method in full."""
            try:
                key = canonical_key(self.method[0])
            except UnknownDetector as error:
                raise ParameterError(f"method: {error}") from None
            return {**super().texts(), "method": parameter_text((key,))}

    params: Params

    @property
    def member(self) -> Detector:
        """The detector that is asked."""
        return from_key(self.params.method[0])

    @property
    def least_length(self) -> int:
        return self.member.least_length

    def detect(self, values: Values, context: Context) -> Detection:
        preparation = self.preparation(values)
        detection = self.member.answer(as_series(preparation.values), context)
        flags = (*detection.flags, preparation.flag)
        return replace(detection, flags=flags, certainty=None, changes=None)

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        preparation = self.preparation(values)
        prepared_values = as_series(preparation.values)
        return (
            *self.member.explained(prepared_values, context),
            draw.Curve(
                prepared_values,
                label="values as the method read them",
                meaning="The series after its preparation.",
            ),
            draw.Figures(
                (
                    ("done", PREPARED_WORDS[preparation.step], ""),
                    ("because", preparation.why, ""),
                    ("values changed", int((prepared_values != values).sum()), ""),
                ),
                label="preparation",
                meaning="What was done with the values before the method read them.",
            ),
        )

    def preparation(self, values: Values) -> Preparation:
        return preparation_of(values, self.member.key, self.params.by)


def prepared_detector(detector: Detector, by: str | None) -> Detector:
    """The detector, asked for prepared values; the same where nothing is to be prepared."""
    if by is None or isinstance(detector, Prepared):
        return detector
    return Prepared(method=(detector.key,), by=by)

"""A page of vector PDF with its font embedded, as publishers ask, in CSS pixels and tokens."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from django.conf import settings

from analysis.web.figures import Part

Point = tuple[float, float]
Across = Literal["left", "center", "right"]
PIXEL: Final = 72 / 96  # points of a CSS pixel
NOTE_HEIGHT: Final = 18  # px of the sentence on letters that no font has
LACKING: Final = "<U+…> is the code of a letter that the fonts of this page lack."
LETTERS: Final = 0.9  # DejaVu Sans is that much wider than the font of the pages
MARKERS: Final = {
    "circle": "o",
    "square": "s",
    "diamond": "D",
    "triangle-up": "^",
    "triangle-down": "v",
    "cross": "P",
    "x": "X",
    "pentagon": "p",
    "star": "*",
    "hexagon": "h",
    "line-ew": "_",
}
"""Matplotlib's names of Plotly's symbols."""
DASHES: Final = {"dot": "3px,3px", "dash": "9px,9px"}
"""Lengths of Plotly's named dashes of thin lines."""
BASELINES: Final = {"top": 0.95, "middle": 0.36, "bottom": -0.25}
"""Baseline below a place, in heights of the letters, by the part of the text that lies there."""
TOKEN: Final = re.compile(r"--([\w-]+): (?:light-dark\()?(#\w{6}|rgb\([^)]*\))")
SLOT: Final = re.compile(r"\.slot-(\d+)[ ,][^{]*\{ --slot-colour: light-dark\((#\w{6})")
FILL: Final = re.compile(r"rgb\((\d+) (\d+) (\d+) / (\d+)%\)")


# --- fonts ------------------------------------------------------------------------------------
def _font_files() -> tuple[str, ...]:
    """DejaVu Sans, which Matplotlib brings along, and behind it the font of the settings."""
    from matplotlib import get_data_path  # noqa: PLC0415

    own_font = (settings.PDF_FONT,) if settings.PDF_FONT else ()
    return (f"{get_data_path()}/fonts/ttf/DejaVuSans.ttf", *own_font)


@cache
def _letters_of(font_files: tuple[str, ...]) -> frozenset[int]:
    """Code points of the letters that one of the fonts has: thousands, gathered once."""
    from matplotlib.font_manager import get_font  # noqa: PLC0415

    return frozenset(code for file in font_files for code in get_font(file).get_charmap())


def legible(text: str) -> str:
    """The text with codes in place of letters that no font has: ``<U+6392 U+5E8F>``."""
    present_letters = _letters_of(_font_files())
    lacking = {letter for letter in text if ord(letter) not in present_letters} - set("\n")
    if not lacking:
        return text
    runs = re.compile(f"[{re.escape(''.join(lacking))}]+")
    return runs.sub(lambda run: f"<{' '.join(f'U+{ord(c):04X}' for c in run[0])}>", text)


def _font(points: float) -> Any:
    from matplotlib.font_manager import FontProperties, fontManager, get_font  # noqa: PLC0415

    files = _font_files()
    if len(files) == 1:
        return FontProperties(fname=files[0], size=points)
    family = str(get_font(files[1]).family_name)
    if not any(font.fname == files[1] for font in fontManager.ttflist):
        fontManager.addfont(files[1])
    return FontProperties(family=["DejaVu Sans", family], size=points)


def text_width(text: str, size: float) -> float:
    """Width of a text in CSS pixels, as it is drawn."""
    from matplotlib.font_manager import get_font  # noqa: PLC0415

    font = get_font(_font_files())
    font.set_size(100, 72)
    font.set_text(legible(text))
    return float(font.get_width_height()[0]) / 64 / 100 * LETTERS * size


# --- colours ----------------------------------------------------------------------------------
@cache
def _tokens() -> Mapping[str, str]:
    """Colours of the light theme by the names of the style sheets' tokens."""
    folder = Path(settings.BASE_DIR) / "static" / "css"
    slots = SLOT.findall((folder / "method-colours.css").read_text("utf-8"))
    return dict(TOKEN.findall((folder / "tokens.css").read_text("utf-8"))) | {
        f"slot-{number}": colour for number, colour in slots
    }


def light_colour(colour: str) -> str | tuple[float, ...]:
    """A colour as Matplotlib takes it. Raises KeyError for a token that no style sheet has."""
    if colour.startswith("var("):
        colour = _tokens()[colour[6:-1]]
    if match := FILL.fullmatch(colour):
        red, green, blue, percent = map(int, match.groups())
        return (red / 255, green / 255, blue / 255, percent / 100)
    return colour


class PdfSheet:
    """A page in CSS pixels, from its left upper corner; later parts lie above earlier ones.

    plot  corners of the area to which clipped parts are cut
    """

    def __init__(self, width: float, height: float, plot: Sequence[Point]) -> None:
        from matplotlib import rcParams  # noqa: PLC0415  # 0.4 s that only a PDF needs
        from matplotlib.figure import Figure  # noqa: PLC0415
        from matplotlib.patches import Polygon  # noqa: PLC0415
        from matplotlib.transforms import Affine2D  # noqa: PLC0415

        rcParams["pdf.fonttype"] = 42  # fonts are embedded as TrueType, and text can be searched
        self.figure = Figure(figsize=(width / 96, height / 96), facecolor="white")
        page_transform = Affine2D().scale(1 / width, -1 / height).translate(0, 1)
        self.transform = page_transform + self.figure.transFigure
        self.clip = Polygon(list(plot), transform=self.transform)
        self.width, self.count = width, 0
        self.has_codes = False  # whether a text has codes in place of letters

    def _add(self, artist: Any, *, is_clipped: bool = False) -> None:
        self.count += 1
        artist.set_zorder(self.count)
        self.figure.add_artist(artist)
        artist.set_clip_path(self.clip if is_clipped else None)

    def line(self, places: Sequence[Point], line: Part, *, is_clipped: bool = False) -> None:
        from matplotlib.lines import Line2D  # noqa: PLC0415

        width = PIXEL * line.get("width", 2)
        dash: str = line.get("dash", "solid")
        dash = DASHES.get(dash, dash)
        lengths = (
            [] if dash == "solid" else [float(dash_length[:-2]) for dash_length in dash.split(",")]
        )
        artist = Line2D(
            *zip(*places, strict=True),
            color=light_colour(line["color"]),
            linewidth=width,
            linestyle=(0, [PIXEL * length / width for length in lengths]) if lengths else "-",
            dash_capstyle="butt",
            solid_capstyle="butt",
            solid_joinstyle="miter",
            transform=self.transform,
        )
        self._add(artist, is_clipped=is_clipped)

    def rectangle(self, first: Point, last: Point, fill: str, **more: Any) -> None:
        """A filled rectangle; `more` as of `area`."""
        (x0, y0), (x1, y1) = first, last
        self.area([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], fill, **more)

    def area(self, corners: Sequence[Point], fill: str, **more: Any) -> None:
        """A filled polygon; `more` has `edge`, `edge_width` and `opacity`."""
        from matplotlib.patches import Polygon  # noqa: PLC0415

        artist = Polygon(
            list(corners),
            facecolor=light_colour(fill),
            edgecolor=light_colour(more["edge"]) if more.get("edge_width") else "none",
            linewidth=PIXEL * more.get("edge_width", 0),
            alpha=more.get("opacity"),
            joinstyle="miter",
            transform=self.transform,
        )
        self._add(artist, is_clipped=True)

    def symbol(self, place: Point, symbol: str, size: float, colour: str, **more: Any) -> None:
        """A symbol; `more` has `edge`, `edge_width` and `opacity`."""
        from matplotlib.lines import Line2D  # noqa: PLC0415

        is_open = symbol.endswith("-open")
        edge_width = 1.6 if is_open else more.get("edge_width", 0)
        artist = Line2D(
            [place[0]],
            [place[1]],
            linestyle="none",
            marker=MARKERS[symbol.removesuffix("-open")],
            markersize=PIXEL * size * (0.8 if symbol.startswith("diamond") else 1),
            markerfacecolor="none" if is_open else light_colour(colour),
            markeredgecolor=light_colour(colour if is_open else more.get("edge") or colour),
            markeredgewidth=PIXEL * edge_width,
            alpha=more.get("opacity"),
            transform=self.transform,
        )
        self._add(artist)

    def text(
        self,
        place: Point,
        text: str,
        font: Part,
        *,
        horizontal_anchor: Across = "center",
        vertical_anchor: str = "middle",
        is_lying: bool = False,
    ) -> None:
        """Text whose part `vertical_anchor` lies at a place; `is_lying` text goes up from there."""
        from matplotlib.text import Text  # noqa: PLC0415

        legible_text = legible(text)
        self.has_codes = self.has_codes or legible_text != text
        size = LETTERS * font.get("size", 12)
        baseline_offset = BASELINES[vertical_anchor] * size
        x = place[0] if is_lying else self._inside(place[0], legible_text, font, horizontal_anchor)
        artist = Text(
            x + (baseline_offset if is_lying else 0),
            place[1] + (0 if is_lying else baseline_offset),
            legible_text,
            color=light_colour(font["color"]),
            fontproperties=_font(PIXEL * size),
            horizontalalignment="left" if is_lying else horizontal_anchor,
            verticalalignment="baseline",
            rotation=90 if is_lying else 0,
            rotation_mode="anchor",
            parse_math=False,
            transform=self.transform,
        )
        self._add(artist)

    def _inside(self, x: float, text: str, font: Part, horizontal_anchor: str) -> float:
        """The place nearest to `x` at which the text does not leave the page."""
        width = text_width(text, font.get("size", 12))
        left_share = {"left": 0.0, "center": 0.5, "right": 1.0}[horizontal_anchor] * width
        return min(max(x, left_share + 1), self.width - 1 - width + left_share)

    def pdf(self, title: str) -> bytes:
        _embed_without_layout()
        buffer = io.BytesIO()
        metadata = {"Title": title, "Creator": "Plateau", "CreationDate": None}
        self.figure.savefig(buffer, format="pdf", metadata=metadata)
        return buffer.getvalue()


@cache
def _embed_without_layout() -> None:
    """Embed fonts without tables for laying out text, which a page no more needs.

    To cut them to the letters of a page would take half of a figure's time, and there is no
    setting against it.
    """
    from fontTools.subset import Options  # noqa: PLC0415  # Matplotlib, too, cuts fonts by it

    dropped_tables = [*Options._drop_tables_default, "GDEF", "GPOS", "GSUB"]  # noqa: SLF001
    Options._drop_tables_default = dropped_tables  # noqa: SLF001


def day_number(text: str) -> float:
    """Days of a date, such as 2026-11-28 or 2026-11-28 22:15."""
    from matplotlib.dates import date2num  # noqa: PLC0415

    return float(date2num(datetime.fromisoformat(text)))


def day_ticks(low: float, high: float, tick_count: int) -> list[tuple[float, str]]:
    """Round times between two ends, at most `tick_count` of them, as numbers and texts."""
    from matplotlib.dates import AutoDateLocator, num2date  # noqa: PLC0415

    locator = AutoDateLocator(minticks=2, maxticks=tick_count)
    numbers = [float(number) for number in locator.tick_values(num2date(low), num2date(high))]
    layout = "%Y-%m-%d" if all(number.is_integer() for number in numbers) else "%m-%d %H:%M"
    return [(number, num2date(number).strftime(layout)) for number in numbers]

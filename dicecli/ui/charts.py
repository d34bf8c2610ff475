"""Chances as bars on a terminal, as columns for scripts, and as a picture in SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from html import escape
from math import ceil, floor, log10
from typing import Any, NamedTuple

from dicecli.analysis.distribution import Distribution
from dicecli.ui.i18n import _, plural

BLOCKS = "▏▎▍▌▋▊▉█"  # the eighths of a character
MIN_BAR = 8  # shorter bars show nothing
SHOWN = 40  # so many totals are always shown
VISIBLE = 200  # the first and last totals are left out whose chance is less than this part of the greatest
MAX_BARS = 400  # of a picture


class Bar(NamedTuple):
    """A value with its share of all; or neighbouring values up to `last` with the mean of their shares."""

    label: str
    share: float
    last: str = ""


def decimal(numerator: int, denominator: int) -> str:
    """A quotient in ten digits, however small it is."""
    value = numerator / denominator
    if abs(value) > 1e-300 or not numerator:
        return f"{value:.10g}"
    tens = (denominator.bit_length() - abs(numerator).bit_length()) * 30103 // 100000
    digits, exponent = f"{numerator * 10**tens / denominator:.9e}".split("e")
    return f"{digits}e{int(exponent) - tens}"


def number(value: Fraction | float) -> str:
    """A mean for people."""
    known = float(value)
    return f"{known:.4f}".rstrip("0").rstrip(".") if abs(known) < 1e15 else f"{known:.6g}"


def percent(numerator: int, denominator: int) -> str:
    """A chance for people, in four places; 0 and 100 % are what never and always happens."""
    if numerator in (0, denominator):
        return "100 %" if numerator else "0 %"
    share = 100 * numerator / denominator
    return f"{share:.4f} %" if share >= 0.0001 else f"{share:.1e} %"


def table(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Rows as aligned columns: the first `left` of them to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(_padded, row, widths, (at < left for at in range(len(row))))).rstrip() for row in rows]


def _padded(text: str, width: int, left: bool) -> str:
    return f"{text:<{width}}" if left else f"{text:>{width}}"


def bar(share: float, width: int, *, blocks: bool) -> str:
    """A bar of up to `width` characters for a share from 0 to 1; `blocks`: in eighths of a character."""
    if not blocks:
        return "#" * round(share * width)
    whole, eighths = divmod(round(share * width * 8), 8)
    return BLOCKS[-1] * whole + (BLOCKS[eighths - 1] if eighths else "")


Found = Distribution | Fraction  # the totals of a notation, or the chance that a comparison holds


def dice_lines(what: str, found: Found, width: int, *, blocks: bool | None) -> Iterator[str]:
    """What `what` gives, for a terminal of `width` columns; `blocks` as in `bar`, None: without bars."""
    if isinstance(found, Fraction):
        rows = ((said, percent(*each.as_integer_ratio()), str(each)) for said, each in _compared(what, found))
        yield from table(list(rows))
    else:
        yield _about(what, found)
        yield from _bars(found, width, blocks=blocks)


def dice_columns(what: str, found: Found) -> Iterator[str]:
    """The same for scripts, by tabs.

    A comparison: `holds` or `fails`, the chance, the same as a fraction. Totals: the total, its chance, the same as a
    fraction, the chance of it or more, of it or less; before them two lines that begin with #: the notation with its
    mean and spread, and what the columns are.
    """
    if isinstance(found, Fraction):
        for word, each in (("holds", found), ("fails", 1 - found)):
            yield f"{word}\t{decimal(*each.as_integer_ratio())}\t{each}"
    else:
        yield from _columns(what, found)


def dice_object(what: str, found: Found) -> dict[str, Any]:
    """The same as an object; every `numerator`, `at_least` and `at_most` of totals is over the one `denominator`."""
    if isinstance(found, Fraction):
        return {"comparison": what, "holds": fraction_object(found), "fails": fraction_object(1 - found)}
    return _totals_object(what, found)


def picture(what: str, found: Found) -> str:
    """The same as an SVG document."""
    if isinstance(found, Fraction):
        bars = [Bar(said, float(each)) for said, each in _compared(what, found)]
        return svg(what, f"{what}: {percent(*found.as_integer_ratio())}", bars, "")
    return svg(what, _about(what, found), _picture_bars(found), _("total"))


def _about(what: str, totals: Distribution) -> str:
    text = _("{what}: mean {mean}, spread {spread}")
    return text.format(what=what, mean=number(totals.mean), spread=number(totals.spread))


def _compared(what: str, holds: Fraction) -> list[tuple[str, Fraction]]:
    return [(what, holds), (_("otherwise"), 1 - holds)]


def fraction_object(value: Fraction) -> dict[str, Any]:
    """A fraction for scripts, in lowest terms; its numbers are texts, because many readers round beyond 2^53."""
    numerator, denominator = value.as_integer_ratio()
    return {"numerator": str(numerator), "denominator": str(denominator), "decimal": numerator / denominator}


# the totals of a notation


def _bars(totals: Distribution, width: int, *, blocks: bool | None) -> Iterator[str]:
    """Of many totals the first and the last are left out, as far as nothing is to be seen of them."""
    first, last = _visible(list(totals.weights.values()))
    greatest = max(totals.weights.values())
    at_least = totals.at_least
    rows = [(_("total"), _("chance"), _("or more"))]
    shown = list(totals.weights.items())[first:last]
    for at, (total, weight) in enumerate(shown, first):
        rows.append((str(total), percent(weight, totals.whole), percent(at_least[at], totals.whole)))
    lines = table(rows, left=0)
    room = width - max(map(len, lines)) - 3
    yield lines[0]
    for line, (_total, weight) in zip(lines[1:], shown, strict=True):
        drawn = bar(weight / greatest, room, blocks=blocks) if blocks is not None and room >= MIN_BAR else ""
        yield f"{line}  {drawn}".rstrip()
    if hidden := len(totals.weights) - len(shown):
        seen = sum(weight for _total, weight in shown)
        text = plural(
            "Not shown: {count} total at an end, {chance}. In a pipe or with --json it is there.",
            "Not shown: {count} totals at the ends, {chance} together. In a pipe or with --json all are there.",
            hidden,
        )
        yield text.format(count=hidden, chance=percent(totals.whole - seen, totals.whole))


def _visible(weights: Sequence[int]) -> tuple[int, int]:
    """From where to where of many weights something is to be seen."""
    if len(weights) <= SHOWN:
        return 0, len(weights)
    least = max(weights) // VISIBLE
    seen = [at for at, weight in enumerate(weights) if weight > least]
    return seen[0], seen[-1] + 1


def _columns(what: str, totals: Distribution) -> Iterator[str]:
    mean, whole = totals.mean, totals.whole
    yield f"# {what}\tmean {decimal(mean.numerator, mean.denominator)} = {mean}\tspread {totals.spread:.10g}"
    yield "# total\tchance\tfraction\tat_least\tat_most"
    below, behind = 0, f"/{whole}"
    for total, weight in totals.weights.items():
        more = decimal(whole - below, whole)
        below += weight
        yield f"{total}\t{decimal(weight, whole)}\t{weight}{behind}\t{more}\t{decimal(below, whole)}"


def _totals_object(what: str, totals: Distribution) -> dict[str, Any]:
    at_least, at_most = totals.at_least, totals.at_most
    return {
        "notation": what,
        "denominator": str(totals.whole),
        "mean": fraction_object(totals.mean),
        "spread": totals.spread,
        "totals": [
            {
                "total": total,
                "numerator": str(weight),
                "at_least": str(at_least[at]),
                "at_most": str(at_most[at]),
                "chance": weight / totals.whole,
            }
            for at, (total, weight) in enumerate(totals.weights.items())
        ],
    }


# pictures

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 800, 400, 70, 15, 45, 55
HIGH = HEIGHT - TOP - BOTTOM
LETTER = 8  # about the width of a digit


def _picture_bars(totals: Distribution) -> list[Bar]:
    """Those totals of which something is to be seen; neighbours together where there are too many for one bar each."""
    first, last = _visible(list(totals.weights.values()))
    shown = list(totals.weights.items())[first:last]
    together = ceil(len(shown) / MAX_BARS)
    found = []
    for at in range(0, len(shown), together):
        some = shown[at : at + together]
        share = sum(weight for _total, weight in some) / (totals.whole * len(some))
        found.append(Bar(str(some[0][0]), share, str(some[-1][0]) if len(some) > 1 else ""))
    return found


def svg(title: str, about: str, bars: Sequence[Bar], across: str) -> str:
    """A bar chart as an SVG document in ASCII, for light and dark backgrounds; `across` says what the labels are.

    `title` and `about` are read out by screen readers too; every bar tells its own chance.
    """
    greatest = max(bar.share for bar in bars)
    step = _tick(greatest / 4)
    lines_across = ceil(greatest / step - 1e-9)
    middle, half = (LEFT + WIDTH - RIGHT) / 2, TOP + HIGH / 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        ' aria-labelledby="title about" font-family="sans-serif" font-size="13" fill="#767676">',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="about">{escape(about)}</desc>',
        f'<text x="{LEFT}" y="20" font-size="16">{escape(_shortened(about, WIDTH - LEFT))}</text>',
        *_lines_across(step, lines_across),
        *_rectangles(bars, step * lines_across),
        *_labels(bars),
        f'<text x="{middle}" y="{HEIGHT - 12}" text-anchor="middle">{escape(across)}</text>',
        f'<text transform="translate(16 {half}) rotate(-90)" text-anchor="middle">{escape(_("chance"))}</text>',
        "</svg>",
    ]
    return ("\n".join(parts) + "\n").encode("ascii", "xmlcharrefreplace").decode()


def _lines_across(step: float, count: int) -> Iterator[str]:
    for tick in range(count + 1):
        y = round(TOP + HIGH - HIGH * tick / count, 1)
        yield f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="#767676" stroke-opacity=".35"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{100 * tick * step:.6g} %</text>'


def _rectangles(bars: Sequence[Bar], top: float) -> Iterator[str]:
    wide = (WIDTH - LEFT - RIGHT) / len(bars)
    gap = wide * 0.1 if wide >= 4 else 0  # thin bars with gaps would flicker
    yield '<g fill="#2f81c9">'
    for at, each in enumerate(bars):
        tall = each.share / top * HIGH
        chance = f"{100 * each.share:.4g} %"
        tells = f"{each.label}: {chance}"
        if each.last:
            tells = _("{first} to {last}: {chance} each").format(first=each.label, last=each.last, chance=chance)
        yield (
            f'<rect x="{LEFT + at * wide + gap:.2f}" y="{TOP + HIGH - tall:.2f}" width="{wide - 2 * gap:.2f}"'
            f' height="{tall:.2f}"><title>{escape(tells)}</title></rect>'
        )
    yield "</g>"


def _labels(bars: Sequence[Bar]) -> Iterator[str]:
    wide = (WIDTH - LEFT - RIGHT) / len(bars)
    for at in _labelled(bars):
        label = escape(_shortened(bars[at].label, WIDTH // 3))
        x = f"{LEFT + (at + 0.5) * wide:.1f}"
        yield f'<text x="{x}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{label}</text>'


def _shortened(text: str, width: int) -> str:
    most = width // LETTER
    return text if len(text) <= most else text[: most - 1] + "…"


def _tick(least: float) -> float:
    """The smallest of 1, 2, 5, 10, ... (and their tenths, ...) from `least` on."""
    power = 10.0 ** floor(log10(least))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least)


def _labelled(bars: Sequence[Bar]) -> Iterable[int]:
    """The bars that get a label below, so that the labels don't touch: round totals if they are totals."""
    longest = max(len(bar.label) for bar in bars) + 2
    most = max(1, (WIDTH - LEFT - RIGHT) // (longest * LETTER))
    if len(bars) <= most:
        return range(len(bars))
    every = ceil(len(bars) / most)
    if all(bar.label.removeprefix("-").isdigit() for bar in bars):
        every = next(step * 10**power for power in range(len(bars)) for step in (1, 2, 5) if step * 10**power >= every)
        round_ones = [at for at, bar in enumerate(bars) if int(bar.label) % every == 0]
        if 2 <= len(round_ones) <= most:
            return round_ones
    return range(0, len(bars), every)

"""On which side of its point a name stands in a chart, so that names do not overlap."""

from collections.abc import Sequence

_PLACES = {"top center": (0, 1), "bottom center": (0, -1), "middle right": (1, 0), "middle left": (-1, 0)}
"""Where the name of a point can be, and the direction."""
_CHARTS_PX, _LETTER_PX, _LINE_PX, _POINT_PX = ((1100.0, 320.0), (300.0, 320.0)), 7.0, 16.0, 9.0
"""About the size of the chart of drafts on a screen and on a phone, of a letter and of a point, to see which names would overlap."""


def places(points: Sequence[tuple[float, float]], names: Sequence[str]) -> list[str]:
    """For each point the side on which its name overlaps least with the points and with the names before it.

    Args:
        points: as shares of the chart's width and height.
    """
    found: list[str] = []
    for _ in points:
        overlaps = {
            place: sum(_overlap(points, names, [*found, place], size) for size in _CHARTS_PX) for place in _PLACES
        }
        found.append(min(_PLACES, key=lambda place: overlaps[place]))
    return found


def _overlap(
    points: Sequence[tuple[float, float]], names: Sequence[str], sides: Sequence[str], size: tuple[float, float]
) -> float:
    """How much the last of the names that have a side shares with the other names and points, in a chart of this size."""
    dots = [_around(x, y, size, 2 * _POINT_PX, 2 * _POINT_PX) for x, y in points]
    boxes: list[_Box] = []
    for (x, y), name, side in zip(points, names, sides, strict=False):
        wide, (right, up) = _LETTER_PX * len(name), _PLACES[side]
        moved = (right * (wide / 2 + _POINT_PX), up * (_LINE_PX / 2 + _POINT_PX))
        boxes.append(_around(x, y, size, wide, _LINE_PX, moved))
    *before, last = boxes
    return sum(_shared(last, other) for other in (*before, *dots[: len(before)], *dots[len(boxes) :]))


_Box = tuple[float, float, float, float]
"""Left, right, bottom, top, in pixels."""


def _around(
    x: float, y: float, size: tuple[float, float], wide: float, high: float, moved: tuple[float, float] = (0.0, 0.0)
) -> _Box:
    """A box around a point that is given in shares of a chart of this size."""
    middle, level = x * size[0] + moved[0], y * size[1] + moved[1]
    return middle - wide / 2, middle + wide / 2, level - high / 2, level + high / 2


def _shared(one: _Box, other: _Box) -> float:
    """The area that two boxes share."""
    wide = min(one[1], other[1]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[2], other[2])
    return max(0.0, wide) * max(0.0, high)

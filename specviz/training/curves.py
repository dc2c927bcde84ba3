"""Draws loss curves as an SVG that is readable on light and dark pages."""

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil

Line = Sequence[tuple[float, float]]

_WIDTH, _HEIGHT = 760, 380
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 170, 24, 48
_INKS = ("#1f6feb", "#d4692a", "#1a7f4b", "#8250df", "#b3354c", "#5c6773")


def drawing(lines: Mapping[str, Line], title: str) -> str:
    """Draw losses against tokens.

    Args:
        lines: name -> points (tokens, nats a token), by increasing tokens.
        title: heading of the picture.

    Returns:
        the SVG's text. The vertical axis ends at the largest loss after the first twentieth, so that the steep beginning does not flatten the rest.
    """
    most = max(tokens for line in lines.values() for tokens, _ in line)
    top = ceil(2 * max(loss for line in lines.values() for tokens, loss in line if tokens > most / 20)) / 2

    def position(tokens: float, loss: float) -> tuple[float, float]:
        return (
            _LEFT + tokens / most * (_WIDTH - _LEFT - _RIGHT),
            _TOP + (1 - min(loss, top) / top) * (_HEIGHT - _TOP - _BOTTOM),
        )

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(title)}">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="8" fill="#ffffff"/>',
        '<g font-family="system-ui, sans-serif" font-size="13" fill="#3d4652">',
        f'<text x="{_LEFT}" y="16" font-weight="600">{escape(title)}</text>',
    ]
    for loss in range(int(top) + 1):
        x, y = position(0, loss)
        parts.append(f'<path d="M{x:.0f} {y:.1f}H{_WIDTH - _RIGHT}" stroke="#dfe4ea"/>')
        parts.append(f'<text x="{x - 8:.0f}" y="{y + 4:.1f}" text-anchor="end">{loss}</text>')
    for share in (0, 0.25, 0.5, 0.75, 1):
        x, y = position(share * most, 0)
        parts.append(f'<text x="{x:.0f}" y="{y + 18:.0f}" text-anchor="middle">{share * most / 1e6:.1f}</text>')
    parts.append(f'<text x="{_LEFT}" y="{_HEIGHT - 8}">million tokens; loss in nats a token</text>')
    ends = sorted((position(*line[-1])[1], name) for name, line in lines.items())
    labels = _apart([y for y, _ in ends])
    for ink, (name, line) in zip(_INKS, lines.items(), strict=False):
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (position(*point) for point in line))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{ink}" stroke-width="1.6"/>')
        y = labels[[label for _, label in ends].index(name)]
        parts.append(
            f'<text x="{_WIDTH - _RIGHT + 8}" y="{y + 4:.1f}" fill="{ink}">{escape(name)} {line[-1][1]:.2f}</text>'
        )
    return "\n".join([*parts, "</g>", "</svg>", ""])


def _apart(heights: Sequence[float], least: float = 16) -> list[float]:
    """Vertical positions of labels, given in rising order, moved down where labels would overlap."""
    placed: list[float] = []
    for height in heights:
        placed.append(max(height, placed[-1] + least) if placed else height)
    return placed

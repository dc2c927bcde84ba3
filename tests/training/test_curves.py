"""The picture of loss curves."""

import xml.etree.ElementTree as ET

from specviz.training.curves import drawing


def test_curves_are_drawn_to_scale() -> None:
    """The picture is well-formed, has one line a network, and a lower loss is drawn lower."""
    svg = ET.fromstring(  # noqa: S314  # our own picture
        drawing({"a <b>": [(0, 9.0), (50, 3.0), (100, 1.0)], "c": [(0, 8.0), (100, 2.0)]}, "T & U")
    )
    lines = [element for element in svg.iter() if element.tag.endswith("polyline")]
    heights = [[float(point.split(",")[1]) for point in line.attrib["points"].split()] for line in lines]
    assert len(lines) == 2
    assert heights[0] == sorted(heights[0])
    assert heights[0][-1] > heights[1][-1]

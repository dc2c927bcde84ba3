"""The tabs of the Lab, without what they measure."""

from app import address
from app.lab.sections import TABS, tab_of


def test_every_question_of_the_address_has_its_tab() -> None:
    """Links of before to six sections lead to the four tabs that have them now; a name that is none leads to the first."""
    assert [*TABS] == ["Sweeps", "Kinds of text", "Drafts", "Rush hour"]
    assert tuple(section for known in TABS.values() for section in known) == address.SECTIONS
    assert {section: tab_of(section) for section in ("best-k", "other-machines", "x")} == {
        "best-k": "Sweeps",
        "other-machines": "Rush hour",
        "x": "Sweeps",
    }

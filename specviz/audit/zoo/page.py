"""The zoo as a Markdown page, made from the same texts as the page's screen: `python -m specviz.audit.zoo --page`."""

from collections.abc import Sequence

from specviz.audit.zoo.texts import EXHIBITS, HOW, Exhibit, ExhibitSource

_HEAD = f"""# The bug zoo

Speculative decoding promises the target's own text. A small mistake breaks the promise, and often nothing crashes: the text reads well,
and only its distribution, or its speed, is wrong. These are bugs that engines have really shipped, or that were found while they were reviewed.
Each is an *exhibit*: one part of our loop is replaced by its broken twin, and everything else stays honest.

An exhibit cannot be reached from an ordinary run: it has no setting, no option and no name in a registry, and the packages that decode may not
import the zoo. Wherever a run with an exhibit is shown, the name of its drafter begins with **BUG**. There is one exhibit of each kind; every
other bug that we know of is planted in the tests (`tests/decoding/test_known_bugs.py`), where a test must notice it.

{HOW} `python -m specviz.audit.zoo` prints the table again. On large models a check needs about as many runs for a bias of the same size.

This page is made from `assets/zoo.toml` by `python -m specviz.audit.zoo --page`.
"""


def page() -> str:
    """The page `docs/bug-zoo.md`."""
    return (
        "\n".join(
            [
                _HEAD,
                "## Which check catches it",
                "",
                "| exhibit | part | caught by, after |",
                "|---|---|---|",
                *(f"| [{one.title}](#{one.name}) | {one.part} | {_after(one)} |" for one in EXHIBITS),
                "",
                "## Bugs",
                "",
                *_sections(EXHIBITS),
            ]
        ).rstrip()
        + "\n"
    )


def _sections(exhibits: Sequence[Exhibit]) -> list[str]:
    lines = []
    for one in exhibits:
        shown = ", ".join(f"{name} {value}" for name, value in one.settings.items())
        lines += [
            f'### <a id="{one.name}"></a>{one.title[0].upper()}{one.title[1:]}',
            "",
            one.what,
            "",
            f"*On the stage:* {one.stage}",
            "",
            f"*Caught by:* {_after(one)}." + (f" *Shows with:* {shown}." if shown else ""),
            "",
            "*Where:* " + "; ".join(_link(source) for source in one.sources) + ".",
            "",
        ]
    return lines


def _link(source: ExhibitSource) -> str:
    return f"[{source.label}]({source.url})" + (f" ({source.note})" if source.note else "")


def _after(one: Exhibit) -> str:
    return ", ".join(f"{check} ({after})" for check, after in one.caught_by)

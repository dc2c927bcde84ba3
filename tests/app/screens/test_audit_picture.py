"""The picture of an audit: the range of honest decoders, texts of models, and the verdict."""

from math import comb

from app.screens.audit.picture import bracket, checks, histogram, power, verdict
from specviz.audit.messages import CHECKS, AuditProgress, CheckLine, CheckState, TokenBar
from specviz.audit.records import CATCHES, Power


def test_the_bracket_has_99_of_100_honest_decoders() -> None:
    """Counted with the binomial distribution itself: at least 98.5 of 100 within, and no end could be moved in."""
    for runs in (1, 7, 40, 400):
        for p in (0.0, 0.001, 0.1, 0.45, 0.9, 1.0):
            low, high = bracket(p, runs)
            inside = sum(
                comb(runs, count) * p**count * (1 - p) ** (runs - count)
                for count in range(runs + 1)
                if low - 1e-9 <= count / runs <= high + 1e-9
            )
            assert inside > 0.985, (p, runs, low, high, inside)
    low, high = bracket(0.3, 4000)
    assert 0.27 < low < 0.29 < 0.31 < high < 0.33


def test_a_models_text_is_never_markup() -> None:
    """Tokens, marks and sentences are escaped."""
    evil = "<img src=x onerror=alert(1)>"
    lines = tuple(CheckLine(check, CheckState.CAUGHT, evil, 1, 2) for check in CHECKS)
    shown = AuditProgress(evil, evil, lines, (TokenBar(evil, 0.5, 3), TokenBar(None, 0.5, 1)))
    assert evil not in histogram(shown) + checks(shown.lines, CATCHES)
    assert "&lt;img" in histogram(shown)


def test_the_verdict_in_one_sentence() -> None:
    """What was caught comes first; a stopped audit promises nothing; the power counts in 100 audits."""
    running = AuditProgress("", "x", (CheckLine("distribution", CheckState.RUNNING, "", 3, 9), CheckLine("drafts")))
    assert verdict(running) == "Auditing: distribution. Nothing found so far."
    caught = AuditProgress(
        "",
        "x",
        (CheckLine("distribution", CheckState.CAUGHT, "", 250, 900), CheckLine("caches", CheckState.CAUGHT, "", 1, 4)),
    )
    assert verdict(caught) == "Caught by distribution after 250 runs and by caches after 1 text."
    stopped = AuditProgress("", "x", (CheckLine("drafts", CheckState.STOPPED),), over=True, stopped=True)
    assert verdict(stopped).startswith("Stopped.")
    few = AuditProgress("LOSSY: lenient rule", "x", (CheckLine("distribution", CheckState.PASSED),), over=True)
    assert verdict(few).startswith("Nothing found with so few runs. Its text is not the target’s")
    assert power(AuditProgress("", "x", (), power=(Power(0.02, 0.0, 400), Power(0.2, 0.97, 400)))) == (
        "With 400 runs this audit would have found a bias of 20% in 97 of 100 audits."
    )
    assert not power(running)

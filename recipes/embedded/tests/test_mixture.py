"""The stream of documents: shares kept, seeds obeyed, held-out text kept out, and collected text cleaned."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice, product

import pytest
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st

from recipes.embedded import corpus
from recipes.embedded.mixture import ABOUT_COUNTRIES, GENERATED, HeldOut, Library, documents
from recipes.embedded.tests.helpers import WriteCorpus
from specviz.errors import TrainingError

SHARES = {"stories": 20, "prose": 12.5, "JSON": 9, "code": 7, "facts": 3, "counting": 4}
NOTHING = HeldOut()


def taken(library: Library, shares: Mapping[str, float], seed: str, count: int) -> list[tuple[str, str]]:
    return list(islice(documents(library, shares, seed, NOTHING), count))


def test_shares_are_kept(corpus_of: WriteCorpus) -> None:
    """Over a long stream every class has its share of the characters, to within two hundredths of it, and soon has it nearly."""
    lengths = [f"Chapter {n}. " + "word " * (37 * n % 800) for n in range(100)]
    library = Library(corpus_of({"prose": lengths}), SHARES)
    written: Counter[str] = Counter()
    checked = 0
    for kind, text in documents(library, SHARES, "shares", NOTHING):
        written[kind] += len(text)
        total = written.total()
        if total > (100_000, 800_000)[checked]:
            for name, share in SHARES.items():
                wanted = share / sum(SHARES.values())
                assert written[name] / total == pytest.approx(wanted, rel=(0.15, 0.02)[checked]), name
            checked += 1
        if checked == 2:
            break
    assert set(written) == set(SHARES)


def test_of_long_documents_only_the_beginning_counts(corpus_of: WriteCorpus) -> None:
    """Where no more than so many characters count, the shares are kept of what counts, and documents come whole all the same."""
    shares = {"prose": 1.0, "sums": 1.0}
    library = Library(corpus_of({"prose": [f"Chapter {n}. " + "word " * 1000 for n in range(60)]}), shares)
    found = list(islice(documents(library, shares, "seed", NOTHING, 100), 3000))
    counted: Counter[str] = Counter()
    for kind, text in found:
        counted[kind] += min(len(text), 100)
    assert counted["prose"] / counted.total() == pytest.approx(0.5, abs=0.01)
    assert all(len(text) > 5000 for kind, text in found if kind == "prose")


def test_shares_need_not_sum_to_one() -> None:
    """Only the proportions count: the same shares times any number give the same stream."""
    library = Library(None, GENERATED)
    once = taken(library, {"letters": 1, "code": 3}, "seed", 200)
    assert once == taken(library, {"letters": 0.25, "code": 0.75}, "seed", 200)
    assert once == taken(library, {"letters": 16, "code": 48}, "seed", 200)


def test_no_share_no_text() -> None:
    """A class whose share is nothing is never written, not even where nothing could write it."""
    found = taken(Library(None, GENERATED), {"letters": 1, "code": 0, "prose": 0}, "seed", 100)
    assert {kind for kind, _ in found} == {"letters"}


def test_the_seed_decides(corpus_of: WriteCorpus) -> None:
    """The same seed gives the same stream, also from another library of the same folder; another seed another stream."""
    folder = corpus_of()
    shares = dict.fromkeys((*corpus.FILES, *GENERATED, *ABOUT_COUNTRIES), 1.0)
    first, again, other = (taken(Library(folder, shares), shares, seed, 600) for seed in ("1", "1", "2"))
    assert first == again
    assert {kind for kind, _ in first} == set(shares)
    for kind in shares:
        assert [text for k, text in first if k == kind] != [text for k, text in other if k == kind], kind


def test_a_class_does_not_depend_on_its_company() -> None:
    """The documents of one class are the same ones whatever else is in the mixture."""
    library = Library(None, GENERATED)
    alone = taken(library, {"letters": 1}, "seed", 60)
    among = [pair for pair in taken(library, {"letters": 2, "sums": 1, "code": 5}, "seed", 600) if pair[0] == "letters"]
    assert len(among) > 30
    assert alone[: len(among)] == among[: len(alone)]


def test_held_out_documents_are_never_trained_on(corpus_of: WriteCorpus) -> None:
    """Some collected documents are held out and never come; all others come once a round, each round in another order."""
    for kind in corpus.FILES:
        texts = [f"Document {number} of {kind}." for number in range(130)]
        library = Library(corpus_of({kind: texts}), [kind])
        kept = library.held_out(kind)
        assert 0.02 * len(texts) < len(kept) < 0.1 * len(texts)
        size = len(texts) - len(kept)
        stream = [text for _, text in taken(library, {kind: 1}, "seed", 3 * size)]
        rounds = [stream[start : start + size] for start in range(0, len(stream), size)]
        for one in rounds:
            assert sorted([*one, *kept]) == sorted(texts)
        assert rounds[0] != rounds[1] != rounds[2]


def test_what_is_held_out_is_always_the_same(corpus_of: WriteCorpus) -> None:
    """The same folder holds out the same documents, whatever classes are asked for beside."""
    folder = corpus_of()
    few, all_of_them = Library(folder, ["verse"]), Library(folder, corpus.FILES)
    assert few.held_out("verse") == all_of_them.held_out("verse") != []
    assert few.held_out("prose") == []
    assert all_of_them.held_out("letters") == []


def test_a_class_that_nothing_writes_is_refused(corpus_of: WriteCorpus) -> None:
    """A class of text that nobody knows is refused by name, before any corpus is read."""
    for folder in (None, corpus_of()):
        with pytest.raises(TrainingError, match=r"asks for poetry, songs, which"):
            Library(folder, ["songs", "letters", "poetry"])


def test_collected_text_needs_a_folder() -> None:
    """Without a corpus folder a class that needs one is refused by name as soon as it is asked for."""
    for kind in ("prose", "orders", *ABOUT_COUNTRIES):
        with pytest.raises(TrainingError, match=f"No corpus folder was given, but {kind} are made from it"):
            next(documents(Library(None, [kind]), {kind: 1}, "seed", NOTHING))


def test_facts_are_of_the_folders_countries(corpus_of: WriteCorpus) -> None:
    """Facts and descriptions are about the countries of the folder's records."""
    library = Library(corpus_of(), ABOUT_COUNTRIES)
    names = [country.name for country in library.countries]
    found = taken(library, {"facts": 1, "descriptions": 1}, "seed", 300)
    assert {kind for kind, _ in found} == {"facts", "descriptions"}
    assert all(any(name in text for name in names) for _, text in found)


def test_prompts_are_held_out_anywhere_or_at_the_beginning() -> None:
    """A prompt kept out anywhere is found at any place, white space around it aside; an opening only at the very beginning."""
    held_out = HeldOut(anywhere=["def add(a, b):\n"], openings=["Once upon a time there was"])
    assert held_out.touches("def add(a, b):  # sums")
    assert held_out.touches("Some code:\ndef add(a, b):\n    return a + b")
    assert not held_out.touches("def add(a, c):\n    return a + c")
    assert held_out.touches("Once upon a time there was")
    assert held_out.touches("Once upon a time there was a fox.")
    assert not held_out.touches(" Once upon a time there was a fox.")
    assert not held_out.touches("He read: Once upon a time there was a fox.")
    assert not held_out.touches("Once upon a time there")
    assert not HeldOut().touches("Once upon a time there was")


LONG = st.text(alphabet="ab", min_size=12, max_size=15)


@tries(max_examples=200, deadline=None)
@given(
    anywhere=st.lists(st.text(alphabet="ab", min_size=3, max_size=6), max_size=2),
    openings=st.lists(LONG, max_size=6),
    place=st.integers(0, 5),
    rest=st.text(alphabet="ab", max_size=8),
)
def test_touching_means_containing_or_beginning_with(
    anywhere: list[str], openings: list[str], place: int, rest: str
) -> None:
    """For any prompts and any text, the guard says what looking for each prompt one by one says."""
    held_out = HeldOut(anywhere, openings)
    begun = openings[place % len(openings)] if openings else ""
    for text in (begun + rest, rest + begun, begun[:13] + rest, rest):
        wanted = any(prompt in text for prompt in anywhere) or any(text.startswith(prompt) for prompt in openings)
        assert held_out.touches(text) == wanted


def test_the_stream_is_guarded() -> None:
    """What the guard refuses is left out of the stream, and nothing else is."""
    library = Library(None, GENERATED)
    held_out = HeldOut(anywhere=["kind regards"], openings=["Dear Anna,\n\n", "Subject: Your"])
    free = taken(library, {"letters": 1, "e-mails": 1}, "seed", 2000)
    guarded = set(islice(documents(library, {"letters": 1, "e-mails": 1}, "seed", held_out), 1000))
    dropped = {pair for pair in free if held_out.touches(pair[1])}
    assert dropped
    assert not dropped & guarded
    assert guarded <= set(free) - dropped
    assert not any(held_out.touches(text) for _, text in guarded)


def cleaned(write: WriteCorpus, kind: str, raw: str) -> list[str]:
    """The document as the library keeps it; none where nothing is left of it."""
    library = Library(write({kind: [raw]}), [kind])
    return library.held_out(kind)


WRAPPED: Sequence[tuple[str, str]] = [
    ("The fox looked\nat the moon\nand slept.", "The fox looked at the moon and slept."),
    ("The fox\nslept.\n\nThe owl\ndid not.", "The fox slept.\n\nThe owl did not."),
    ("He said:\n“Come,\nfox!”\nAnd it came.", 'He said:\n"Come, fox!"\nAnd it came.'),
    ("One.\n\n\n\nTwo.", "One.\n\nTwo."),
    ("Windows\r\nlines\r\n\r\nTwo.", "Windows lines\n\nTwo."),
]


def test_paragraphs_flow(corpus_of: WriteCorpus) -> None:
    """In prose, lines broken inside a sentence are joined; paragraphs stay apart by one empty line."""
    for kind, (raw, wanted) in product(("prose", "more prose", "fables", "picture books"), WRAPPED):
        assert cleaned(corpus_of, kind, raw) == [wanted], (kind, raw)


def test_lines_that_mean_something_stay(corpus_of: WriteCorpus) -> None:
    """The lines of verse, of dialogues and of worked answers stay as they are, with their indents."""
    for kind in ("verse", "orders", "word problems"):
        raw = "Customer: tea, and\nAssistant: Sure\n  indented, still\n\nThe end"
        assert cleaned(corpus_of, kind, raw) == [raw], kind


def test_quotation_marks_and_blanks_are_plain(corpus_of: WriteCorpus) -> None:
    """Curly quotation marks become straight ones, and hard blanks and tabs become blanks, in every class."""
    for kind in corpus.FILES:
        raw = "“It’s ‘good’,” said\u00a0she,\tand left."
        assert cleaned(corpus_of, kind, raw) == ["\"It's 'good',\" said she, and left."]


NOTES = (
    "This eBook is from Project Gutenberg.",
    "Produced by somebody at the\nDistributed Proofreading Team",
    "Transcriber's note: spelling kept.",
    "CONTENTS\n\nCONTENTS II",
    "[Illustration: a fox]",
    "_Frontispiece_",
    " Frontispiece: the fox",
)


def test_publishers_notes_are_dropped(corpus_of: WriteCorpus) -> None:
    """A paragraph that is a publisher's note is dropped, its neighbours stay; a document of nothing else is empty."""
    for note in NOTES:
        story = "The fox slept."
        for kind in ("prose", "verse"):
            assert cleaned(corpus_of, kind, f"{story}\n\n{note}\n\n{story} Again.") == [f"{story}\n\n{story} Again."]
            assert cleaned(corpus_of, kind, note) == []

"""A seeded part of `make fuzz`, so that every run of the tests includes some mutants."""

from time import process_time

from tests.helpers.fuzz import mutants, reading

PATIENCE_S = 20.0


def test_a_damaged_recording_is_read_or_rejected() -> None:
    """Of 300 mutants each is read as a recording that can be written and printed, or rejected with one sentence, quickly."""
    read = 0
    for content in mutants(20, 300):
        began = process_time()
        read += reading(content) is not None
        assert process_time() - began < PATIENCE_S
    assert 30 < read < 200, "too few or too many are read for the mutations to prove anything"


def test_the_same_seed_gives_the_same_mutants() -> None:
    """A failure can be reproduced by its seed."""
    assert list(mutants(3, 40)) == list(mutants(3, 40)) != list(mutants(4, 40))

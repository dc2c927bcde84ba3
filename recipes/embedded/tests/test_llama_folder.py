"""Reading a network from its folder."""

from pathlib import Path

import pytest

from recipes.embedded import llama_folder
from tests.training.helpers import Shape, roughened


def test_a_folder_without_a_configuration_is_not_guessed_at(tmp_path: Path) -> None:
    """Nothing is built in the place of a network whose configuration is missing."""
    with pytest.raises(FileNotFoundError, match=r"has no config\.json"):
        llama_folder.load(tmp_path)


def test_the_end_of_a_text_is_the_configurations() -> None:
    """The id that ends a text is the configured one, of several the first."""
    model = roughened(Shape(layers=1, width=16, heads=1, feed_forward=24))
    model.config.eos_token_id = 7
    assert llama_folder.end_id(model) == 7
    model.config.eos_token_id = [5, 3]
    assert llama_folder.end_id(model) == 5

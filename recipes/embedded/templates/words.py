"""Words that several kinds of templates share."""

from recipes.embedded.templates.data_files import table


def words(name: str) -> tuple[str, ...]:
    """One list of words.toml: names, surnames, cities, months, weekdays, foods or things."""
    return table("words").texts(name)

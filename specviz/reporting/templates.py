"""HTML from the templates of this package: every value is escaped, unless the template says that it is HTML already (`|safe`)."""

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent.parent),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def html_from(template: str, **values: Any) -> str:
    """The HTML of a template, such as `lessons/page.html`, with these values."""
    return _TEMPLATES.get_template(template).render(values)

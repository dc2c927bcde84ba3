"""The lanes of a race alone on an empty page: hand-made views, no server, no model."""

from typing import Any

from playwright.sync_api import Page

from specviz.reporting.player.scripts import given, script, style
from tests.app.lab import as_script, themed

_PAGE = """<!doctype html><html lang="en"><title>Race</title><style>
  * {{ transition: none !important; }}
  {themed}
  body {{ margin: 0; padding: 8px 20px; background: var(--st-background-color); }}
  #above {{ height: {above}px; }}
  {style}
</style><div id="above"></div><div id="root"><div class="stage race"></div></div>"""
_FRAMES = "for (let i = 0; i < 4; i += 1) await new Promise(requestAnimationFrame);"
ABOVE = 48
"""The height of what stands above the lanes in a talk."""


class RaceLab:
    """A page with nothing but lanes on it."""

    def __init__(self, page: Page, scheme: str = "light", above: int = ABOVE) -> None:
        self.page = page
        self._given = given()
        page.goto("about:blank")
        page.set_content(_PAGE.format(themed=themed(scheme), above=above, style=style("race")))
        page.add_script_tag(content=as_script(script("race")))

    def show(self, view: dict[str, Any], **more: Any) -> str:
        """Hand over a view of `app.stage.lanes`, as Streamlit does at mount and at every change; what the clock shows a moment later."""
        shown: str = self.page.evaluate(
            f"""async data => {{
                mount({{ data, parentElement: document.getElementById("root") }});
                {_FRAMES}
                return document.querySelector(".race .clock").textContent;
            }}""",
            {"view": {**view, **more}, **self._given},
        )
        return shown

    def settle(self) -> None:
        self.page.evaluate(f"async () => {{ {_FRAMES} }}")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.locator(".race").focus()
            self.page.keyboard.press(key)
        self.settle()

    def at(self, share: float) -> None:
        self.page.get_by_role("slider", name="Time on the clock").fill(str(round(1000 * share)))
        self.settle()

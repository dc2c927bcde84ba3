"""That something has changed, as events, for a part of a page that shows it (`app.following`)."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from app import following
from app.routes.addresses import who
from app.routes.events import HEADERS, Followed, respond
from app.routes.news import Now


def routes(root: str) -> list[Route]:
    """See above.

    Args:
        root: what every path of the server begins with.
    """
    return [Route(f"{root}/bells/{{name}}/events", _events, methods=["GET"])]


async def _events(request: Request) -> Response:
    name = request.path_params["name"]
    bell = following.rung_for(name, request.query_params.get("key", ""), who(request)[0])
    if bell is None:
        return PlainTextResponse("This is over, or another browser's: load the page again.", 404, headers=HEADERS)
    return await respond(request, Followed(bell, lambda: Now({"rung": str(bell.rung)}, epoch=name)))

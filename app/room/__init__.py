"""The room on the page: presenter, audience, and what travels between them."""

"""The state of one visitor's page: the address, the choices of the form, and what the session remembers."""

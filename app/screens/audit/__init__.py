"""The screen Audit: its three parts, and the board that shows an audit."""

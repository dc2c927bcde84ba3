"""The player: a component whose picture is a pure function of (trace, clock)."""

"""Heads that draft from a target's states: how one of each kind is trained for any target that shows its states."""

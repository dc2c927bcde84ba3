"""The race: a component that shows any runs side by side, each in its lane, all on one clock."""

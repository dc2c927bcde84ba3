"""How the embedded pair is made and examined: its recipe, its text, its networks, its model card."""

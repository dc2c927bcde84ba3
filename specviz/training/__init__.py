"""Makes drafts for a target, and examines them. `embedded` holds what makes the pair that comes with the project. The app never imports this."""

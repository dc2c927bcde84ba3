"""What a trained pair can do, and how well its drafts follow their target: every figure counted on prompts kept out of the training text."""

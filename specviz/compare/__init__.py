"""Every drafter on the same target and the same prompts: how often it is right, what it costs, what it gains."""

"""A pair on a prompt: preparing the drafter, running, racing, replanning, and the engine process."""

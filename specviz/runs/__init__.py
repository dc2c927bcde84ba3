"""A pair on a prompt: preparing the drafter, running, racing, and the engine process."""

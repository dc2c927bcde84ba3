"""A room: a presenter and an audience who look at the same moment, vote, and send prompts."""

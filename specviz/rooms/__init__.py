"""A room: a presenter and an audience who look at the same moment, vote, and send prompts. Pure records and functions; standard library only."""

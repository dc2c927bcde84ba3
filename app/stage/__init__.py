"""The content of the player and of the lanes of a race: the runs of a visit, recordings, lessons, and their addresses on this server."""

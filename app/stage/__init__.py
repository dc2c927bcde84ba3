"""What the player and the lanes of a race show: the runs of a visit, recordings, lessons, and their addresses on this server."""

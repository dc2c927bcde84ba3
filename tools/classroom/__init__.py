"""`make classroom N=50`: what a class does to a server, by visitors without browsers. Numbers to read, not a test."""

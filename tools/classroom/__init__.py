"""`make classroom N=50`: what a class does to a server, by visitors without browsers and three real ones. Numbers to read, not a test."""

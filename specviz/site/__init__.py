"""The static site: Learn, recorded runs and races, the zoo's game and the teacher's page, from the same scripts as the app."""

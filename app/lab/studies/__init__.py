"""The studies of the Lab: one question each."""

"""Tests of the page, in a real browser and under it."""

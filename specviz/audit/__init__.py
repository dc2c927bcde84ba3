"""The audit: whether a decoder writes what its target alone would write. Checks, their evidence and the report."""

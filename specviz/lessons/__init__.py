"""Lessons are files: Markdown with front matter, read, checked against the recordings they speak of, and handed to the page.

Needs neither torch nor Streamlit.
"""

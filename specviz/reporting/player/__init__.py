"""The player outside Streamlit: its modules as one script, its colours and words, and a recording with it as one HTML file."""

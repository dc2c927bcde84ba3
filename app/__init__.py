"""The page: Streamlit, and nothing of the engine but its records."""

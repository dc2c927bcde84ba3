"""The server's own addresses, beside those of Streamlit: files for a browser, and what is alive as events."""

"""The engines of a server: how many there are and where, what those of one machine share, and how each is started and spoken to.

Needs neither torch nor Streamlit. Only `specviz.serving.cluster` knows Ray.
"""

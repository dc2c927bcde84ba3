"""The engines of a server: one process of its machine, or actors of a Ray cluster, and how each is started and spoken to.

Needs neither torch nor Streamlit. Only `specviz.serving.cluster` knows Ray.
"""

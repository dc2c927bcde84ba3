"""`specviz train draft`: a small draft for any target, distilled from text that the target writes itself."""

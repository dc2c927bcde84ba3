"""The bug zoo: bugs that engines have shipped, each as an exhibit that replaces one part of the loop by its broken twin.

No run can reach it: it has no setting, no option and no name in a registry, and decoding and runs may not import it.
"""

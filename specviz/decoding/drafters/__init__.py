"""One file for each way of drafting; each holds a `specviz.decoding.protocols.Drafter`."""

"""One file per drafting method; each holds a `specviz.decoding.protocols.Drafter`."""

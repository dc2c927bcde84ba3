"""How the models that come with specviz were made; nothing here is needed to use it."""

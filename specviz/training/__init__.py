"""How the embedded pair is made: its text, its tokenizer, its training and its examination. The app never imports this."""

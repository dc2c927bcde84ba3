"""No fast or indirect path is used unseen: each is compared with the model's own plain pass when it is first used."""

"""How fast anascore is, how much memory it takes, and how both grow: `make bench`."""

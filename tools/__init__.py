"""Programs for those who develop anascore: `python -m tools.NAME`. The package has none of them."""

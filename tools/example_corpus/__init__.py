"""The example corpus of the package: `python -m tools.example_corpus` writes its files.

`texts/` has the source: ten short texts in the notation of `notation`, each with the key and the
errors of two systems. `systems` has the third system, which is a program.
"""

"""The example corpus that comes with the package: `python -m examples` writes its files.

`texts/` has the source: ten short texts in the notation of `notation`, each with the key and the
errors of two systems. `systems` has the third system, which is a program.
"""

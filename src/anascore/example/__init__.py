"""The example corpus: ten short texts with a key and the systems neural, rules and baseline.

Takes nothing; provides the paths of the files, and copies of them. Key, neural, rules and baseline
all exist in CoNLL-UA (`.conllua`), CorefUD (`.conllu`), CoNLL-2012 (`.conll`) and JSON lines
(`.jsonl`); README.md says what the formats cannot store. `make examples` writes these files.
"""

from anascore.example.files import ENDINGS, FOLDER, KEY, NAMES, README, SYSTEMS, copy_example

__all__ = ["ENDINGS", "FOLDER", "KEY", "NAMES", "README", "SYSTEMS", "copy_example"]

"""The command line, every option of it, against outputs that were looked at once.

Run with UPDATE_GOLDEN=1 in the environment to write the outputs anew; then look at the difference.
"""

import argparse
import contextlib
import csv
import gc
import io
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore.cli.demo import PAGE
from anascore.cli.main import COMMANDS as COMMANDS_OF_THE_LINE
from anascore.cli.main import CommandResult, main, parser
from anascore.example import copy_example
from documents import write_ua
from oracles import Side
from paper import KEY, SYSTEMS
from samples import SAMPLES

GOLDEN = Path(__file__).parent / "golden"
EXAMPLE = "example/key.conllua example/neural.conllua"

COMMANDS = {
    "demo": "demo",
    "demo-files": "demo --files new",
    "demo-report": "demo --report page.html",
    "example": f"score {EXAMPLE} example/rules.conllua example/baseline.conllua",
    "example-paired": (
        f"score {EXAMPLE} example/rules.conllua --metrics conll,lea --confidence --paired bootstrap"
    ),
    "example-layers": f"score {EXAMPLE} example/rules.conllua --layers all",
    "example-genres": (
        f"score {EXAMPLE} --by mention-type --by entity-type --by language=^(spanish|czech)"
    ),
    "example-corefud": (
        "score example/key.conllu example/neural.conllu example/rules.conllu --task crac25"
    ),
    "example-zeros": "score example/key.conllu example/neural.conllu --layer zeros",
    "example-conll2012": "score example/key.conll example/neural.conll --task conll12",
    "example-jsonl": "score example/key.jsonl example/neural.conllua --metrics conll --zeros drop",
    "example-explain": f"explain {EXAMPLE} --entity family --metrics muc,b3",
    "example-errors": f"errors {EXAMPLE} example/rules.conllua",
    "example-stats": "stats example/key.conllua",
    "example-validate": "validate example/key.conllua example/neural.conllua",
    "one": "score key.conllua system-A.conllua",
    "several": "score key.conllua system-A.conllua system-B.conllua",
    "jobs": "score key.conllua system-A.conllua system-B.conllua --jobs 2",
    "dask-and-jobs": "score key.conllua system-A.conllua --dask local --jobs 2",
    "metrics": "score key.conllua system-A.conllua --metrics lea,muc,conll",
    "convention": "score key.conllua system-A.conllua --convention ua",
    "doubled": "score doubled.jsonl doubled.jsonl --doubled all",
    "lea-importance": "score key.conllua system-A.conllua --metrics lea --lea-importance 10",
    "keys": (
        "score anna=key.conllua system-A.conllua --also-key ben=system-B.conllua --also-key "
        "system-D.conllua --key-weights 2,1,1 --human --metrics muc,conll"
    ),
    "keys-best": (
        "score key.conllua system-A.conllua system-D.conllua --also-key system-B.conllua "
        "--combine-keys best --metrics muc,blanc --confidence --samples 9"
    ),
    "keys-missing": (
        "score two-key.conllua two.conllua --also-key one-of-two.conllua --missing empty "
        "--metrics muc --per-document"
    ),
    "keys-different": "score two-key.conllua two.conllua --also-key one-of-two.conllua",
    "keys-json": (
        "score key.conllua system-A.conllua --also-key system-B.conllua --human --metrics muc "
        "--output json"
    ),
    "keys-csv": (
        "score key.conllua system-A.conllua --also-key system-B.conllua --human --metrics muc "
        "--output csv"
    ),
    "keys-split-only": (
        "score key.conllua system-A.conllua --also-key system-B.conllua --split-only --output csv"
    ),
    "no-split": "score key.conllua system-A.conllua --no-split",
    "no-singletons": "score key.conllua system-A.conllua --no-split --no-singletons",
    "zeros-keep": "score zeros.conllua zeros.conllua --zeros keep",
    "zeros-drop": "score zeros.conllua zeros.conllua --zeros drop",
    "split-only": "score key.conllua system-A.conllua --split-only",
    "split-only-none": "score zeros.conllua zeros.conllua --split-only",
    "per-document": "score two-key.conllua two.conllua --per-document",
    "per-document-split-only": "score two-key.conllua two.conllua --per-document --split-only",
    "per-document-undefined": "score two-singletons.conllua two-singletons.conllua --per-document",
    "per-document-no-sets": "score zeros.conllua zeros.conllua --per-document",
    "missing-empty": "score two-key.conllua one-of-two.conllua --missing empty",
    "bad-documents": "score two-key.conllua two-bad.conllua --bad-documents skip --metrics muc",
    "bad-documents-key": "score two-bad.conllua two.conllua --bad-documents skip --metrics muc",
    "bad-documents-json": (
        "score two-key.conllua two-bad.conllua --bad-documents skip --metrics muc --output json"
    ),
    "bad-documents-error": "score two-bad.conllua two.conllua --bad-documents error",
    "zeros-layer": "score zeros-key.conllu zeros.conllu --layer zeros",
    "window": "score key.conllua system-A.conllua --window 12 --metrics muc,b3 --by range",
    "across": "score two-key.conllua two.conllua --across all --metrics muc,b3",
    "across-json": "score two-key.conllua two.conllua --across all --metrics muc --output json",
    "across-csv": "score two-key.conllua two.conllua --across ^(.) --metrics muc --output csv",
    "across-ids": "score short.jsonl short.jsonl --across all",
    "docs-split": "score two-key.conllua two.conllua --docs split --metrics b3 --per-document",
    "words-align": "score key.conllua other-words.conllua --words align",
    "words-ignore": "score key.conllua other-words.conllua --words ignore",
    "long-names": (
        "score key.conllua a-system-with-a-name-that-is-too-long-for-its-column.conllua "
        "system-A.conllua --metrics muc,b3,ceafe"
    ),
    "wide-names": "score key.conllua a-longer-name.conllua",
    "same-names": "score key.conllua system-A.conllua sub/system-A.conllua --metrics muc",
    "same-files": "score key.conllua system-A.conllua system-A.conllua --metrics muc",
    "undefined": "score singletons.conllua repeated.conllua",
    "json": "score key.conllua system-A.conllua --output json",
    "json-per-document": "score two-key.conllua two.conllua --output json --per-document",
    "json-split-only": "score key.conllua system-A.conllua --output json --split-only",
    "csv": "score key.conllua system-A.conllua --output csv",
    "csv-per-document": "score two-key.conllua two.conllua --output csv --per-document",
    "csv-split-only": "score key.conllua system-A.conllua --output csv --split-only",
    "confidence": "score two-key.conllua two.conllua --confidence --samples 50 --seed 3",
    "confidence-json": (
        "score two-key.conllua two.conllua --metrics muc,conll --confidence --output json"
    ),
    "paired": (
        "score two-key.conllua two.conllua two-key.conllua --paired bootstrap "
        "--metrics muc,b3,conll"
    ),
    "paired-json": (
        "score two-key.conllua two.conllua two-key.conllua --paired randomisation --samples 9 "
        "--metrics muc --output json"
    ),
    "paired-csv": (
        "score two-key.conllua two.conllua two-key.conllua --paired bootstrap --confidence "
        "--metrics muc --output csv"
    ),
    "markdown": (
        "score two-key.conllua two.conllua two-key.conllua --output markdown --macro "
        "--per-document --paired bootstrap --confidence --metrics muc,conll"
    ),
    "latex": (
        "score two-key.conllua two.conllua two-key.conllua --output latex --paired bootstrap "
        "--confidence"
    ),
    "latex-warning": "score singletons.conllua repeated.conllua --output latex --metrics conll",
    "latex-tables": (
        "score two-key.conllua two.conllua two-key.conllua --output latex --paired bootstrap "
        "--metrics conll,muc --tables differences,sizes --decimals 1"
    ),
    "decimals": "score key.conllua system-A.conllua --decimals 5 --tables scores,sets",
    "tables-unknown": "score key.conllua system-A.conllua --tables score",
    "tables-json": "score key.conllua system-A.conllua --tables scores --output json",
    "score-only": "score key.conllua system-A.conllua system-D.conllua --score-only",
    "score-only-set": "score key.conllua system-A.conllua --score-only --score lea --split-only",
    "score-only-csv": "score key.conllua system-A.conllua --score-only --output csv",
    "score-only-macro": "score key.conllua system-A.conllua --score-only --macro",
    "merge-score-only": "merge part-1.json part-2.json --score-only --decimals 4",
    "merge-tables": "merge part-1.json part-2.json --tables matching",
    "eval-results": (
        "score key.conllua system-A.conllua --output eval-results --dataset-id user/corpus "
        "--task-id test"
    ),
    "eval-results-score": (
        "score two-singletons.conllua two.conllua --output eval-results --dataset-id a "
        "--task-id b --score bcub --metrics muc,b3"
    ),
    "eval-results-bridging": (
        "score layers-key.conllua layers.conllua --output eval-results --dataset-id a --task-id b "
        "--task codicrac-br"
    ),
    "eval-results-undefined": (
        "score singletons.conllua singletons.conllua --metrics muc --output eval-results "
        "--dataset-id a --task-id b"
    ),
    "eval-results-several": (
        "score key.conllua system-A.conllua system-B.conllua --output eval-results --dataset-id a "
        "--task-id b"
    ),
    "eval-results-no-id": "score key.conllua system-A.conllua --output eval-results --task-id b",
    "eval-results-no-ids": "score key.conllua system-A.conllua --output eval-results",
    "eval-results-split-only": (
        "score key.conllua system-A.conllua --output eval-results --dataset-id a --task-id b "
        "--split-only"
    ),
    "eval-results-bad-id": (
        "score key.conllua system-A.conllua --output eval-results --task-id b --dataset-id a/b/c"
    ),
    "dataset-id": "score key.conllua system-A.conllua --dataset-id a",
    "merge-eval-results": (
        "merge part-1.json part-2.json --output eval-results --dataset-id a/b --task-id c"
    ),
    "macro": "score two-key.conllua two.conllua --macro",
    "merge": "merge part-1.json part-2.json",
    "merge-split-only": "merge part-1.json part-2.json --split-only --output markdown",
    "merge-documents": (
        "merge part-1.json part-2.json --per-document --sort-by muc --score b3 --macro "
        "--confidence --samples 100 --seed 3"
    ),
    "merge-paired": "merge two-systems.json --paired bootstrap --samples 100",
    "macro-json": "score two-key.conllua two.conllua --macro --metrics muc,conll --output json",
    "macro-csv": "score two-key.conllua two.conllua --macro --metrics muc,conll --output csv",
    "fail-under": (
        "score key.conllua system-D.conllua B=system-B.conllua --metrics b3,conll "
        "--fail-under conll=78,bcub=75"
    ),
    "fail-under-met": (
        "score key.conllua system-A.conllua --metrics muc,b3 --fail-under muc=75 "
        "--fail-under B³=75.1"
    ),
    "max-drop": (
        "score key.conllua system-D.conllua --metrics b3 --baseline part-1.json --max-drop 0.3"
    ),
    "max-drop-met": (
        "score key.conllua system-D.conllua --metrics b3 --baseline part-1.json --max-drop 0.5"
    ),
    "sort-systems": "score key.conllua system-D.conllua system-A.conllua --sort-by ceaf",
    "score": "score two-key.conllua two.conllua two-key.conllua --per-document --score bcub",
    "by-systems": (
        "score zeros-key.conllu zeros.conllu zeros-key.conllu --by mention-type --by letter=^. "
        "--score mentions"
    ),
    "by-one-score": "score zeros-key.conllu zeros.conllu --metrics b3 --by distance",
    "sort-by": (
        "score two-singletons.conllua two.conllua --per-document --sort-by muc --metrics muc,b3"
    ),
    "format": "score key.conllua system-A.conllua --format ua --metrics muc",
    "formats": (
        "score short.jsonl short.conll --key-format jsonl --response-format conll2012 --metrics muc"
    ),
    "clusters-field": (
        "score predicted.jsonl predicted.jsonl --clusters-field predicted_clusters --metrics muc"
    ),
    "word-column": "score numbered.conll numbered.conll --word-column 3 --metrics muc",
    "word-column-detected": "score numbered.conll bare-ids.conll --metrics muc,b3 --per-document",
    "word-column-missing": "score numbered.conll bare-ids.conll --word-column 5",
    "word-column-key": "score bare-ids.conll numbered.conll --word-column 4 --metrics muc",
    "rewritten": "score short.jsonl rewritten.txt --metrics mentions --per-document",
    "broken": "score short.jsonl broken.txt --metrics mentions",
    "repair": "score short.jsonl broken.txt --metrics mentions --repair",
    "repair-json": "score short.jsonl broken.txt --metrics mentions --repair --output json",
    "errors-repair": "errors short.jsonl broken.txt --repair",
    "explain-repair": "explain short.jsonl broken.txt --metric muc --repair",
    "report-repair": "report short.jsonl broken.txt -o page.html --metrics mentions,conll --repair",
    "different-formats": "score short.jsonl short.jsonl short.conll --metrics mentions",
    "layers-all": "score layers-key.conllua layers.conllua --layers all",
    "layers-json": "score layers-key.conllua layers.conllua --layers all --output json",
    "layers-csv": "score layers-key.conllua layers.conllua --layers bridging,identity --output csv",
    "layers-per-document": (
        "score layers-key.conllua layers.conllua --layers all --per-document --metrics muc"
    ),
    "layers-split-only": "score layers-key.conllua layers.conllua --layers all --split-only",
    "layers-nothing": "score key.conllua system-A.conllua --layers all --metrics muc",
    "layer": "score layers-key.conllua layers.conllua --layer discourse-deixis",
    "match-partial": "score layers-key.conllua layers.conllua --match partial",
    "match-craft": "score layers-key.conllua layers.conllua --match craft --metrics muc,mentions",
    "match-head": "score zeros-key.conllu zeros.conllu --match head",
    "heads": "score zeros-key.conllu zeros.conllu --match head --heads key --metrics muc",
    "errors-heads": "errors zeros-key.conllu zeros.conllu --match head --heads key",
    "explain-heads": (
        "explain zeros-key.conllu zeros.conllu --match head --heads key --metric muc"
    ),
    "report-heads": ("report zeros-key.conllu zeros.conllu -o page.html --match head --heads key"),
    "zero-match": "score zeros-key.conllu zeros.conllu --zero-match dependent --anaphors zero",
    "anaphors": "score zeros-key.conllu zeros.conllu --anaphors UPOS=PRON --metrics anaphors",
    "by": "score zeros-key.conllu zeros.conllu --metrics muc --by all --by letter=^.",
    "by-json": "score zeros-key.conllu zeros.conllu --metrics muc --by length --output json",
    "by-csv": "score zeros-key.conllu zeros.conllu --metrics muc --by d=z --output csv",
    "parses": "score parsed-key.conll parsed.conll --match partial --metrics muc,mentions",
    "np-only": "score parsed-key.conll parsed.conll --np-only --metrics muc,mentions",
    "remove-nested": "score parsed-key.conll parsed.conll --remove-nested --metrics muc,mentions",
    "proposals": (
        "score key.conllua system-A.conllua --metrics links,zhou-choi,lea-2021,lea-rucoco,lea"
    ),
    "relations": "score dough.conllua dough-set.conllua --metrics muc,lea",
    "relations-json": "score dough.conllua dough-set.conllua --metrics muc --output json",
    "relations-csv": "score dough.conllua dough-set.conllua --metrics muc --output csv",
    "task": "score zeros-key.conllu zeros.conllu --task crac24",
    "suite": "suite suite/keys suite/A best=suite/B",
    "suite-report": "suite suite/keys suite/A best=suite/B --variants exact --report page.html",
    **{
        f"suite-{output}": "suite suite/keys suite/A suite/B --variants head,exact --metrics conll "
        f"--confidence --output {output}"
        for output in ("markdown", "latex", "json", "csv")
    },
    "suite-one": "suite suite/keys suite/A --confidence --samples 20 --seed 3",
    "suite-variants": "suite suite/keys suite/A suite/B --paired randomisation --jobs 2 --variants "
    "exact,partial --variants all:match=exact,lea-importance=2 --metrics conll,lea",
    "suite-settings": "suite suite/keys suite/A --variants own:match=exact --no-singletons "
    "--no-split --convention paper --doubled first --zeros keep --zero-match linear "
    "--remove-nested --lea-importance 2 --anaphors zero --missing empty --bad-documents skip "
    "--words ignore --layers identity --by length --heads file --docs all --window 20 "
    "--repair",
    "suite-formats": "suite suite/parsed-keys suite/parsed --variants own:match=exact --format ua "
    "--key-format conll2012 --response-format conll2012 --metrics conll",
    "suite-layer": "suite suite/keys suite/B --variants head --layer identity --match head",
    "suite-np-only": "suite suite/parsed-keys suite/parsed --variants nouns:match=exact --np-only "
    "--word-column 4",
    "suite-field": "suite suite/predicted suite/predicted --clusters-field predicted_clusters "
    "--variants own:match=exact",
    "suite-task": "suite suite/keys suite/A --task conll12 --metrics conll",
    "suite-across": "suite suite/keys suite/A --variants own:match=exact --across all",
    "agreement": "agreement anna=key.conllua ben=system-A.conllua system-B.conllua --metric conll",
    **{
        f"agreement-{output}": "agreement two-key.conllua two.conllua --confidence --samples 20 "
        f"--seed 3 --metrics conll --per-document --output {output}"
        for output in ("table", "markdown", "latex", "json", "csv")
    },
    "agreement-options": "agreement key.conllua system-A.conllua --distance dice --items common "
    "--layer identity --no-singletons --no-split --zeros drop "
    "--remove-nested --lea-importance 2 --missing empty --bad-documents skip --words ignore "
    "--format ua",
    "agreement-layers": "agreement layers-key.conllua layers.conllua --layers all",
    "agreement-word-column": "agreement numbered.conll numbered.conll --word-column 2 "
    "--clusters-field clusters",
    **{
        f"disagreements-{output}": f"agreement key.conllua system-A.conllua system-B.conllua "
        f"--disagreements --output {output}"
        for output in ("table", "json", "csv")
    },
    "disagreements-latex": "agreement key.conllua system-A.conllua --disagreements --output latex",
    "disagreements-markdown": (
        "agreement key.conllua system-A.conllua --disagreements --output markdown"
    ),
    "agreement-report": "agreement two-key.conllua two.conllua --metric conll --report page.html",
    "agreement-of-one": "agreement key.conllua",
    "agreement-on-other-texts": "agreement key.conllua two-key.conllua",
    "suite-contradiction": "suite suite/keys suite/A --match exact",
    "task-metrics": "score zeros-key.conllu zeros.conllu --task crac24 --metrics conll",
    "task-layers": "score layers-key.conllua layers.conllua --task crac18",
    "codabench": "codabench new --task crac26 --reference zeros-key.conllu",
    "codabench-no-reference": (
        "codabench sub/new --task conll12 --image user/anascore:1 --documents worst:3"
    ),
    "codabench-task": "codabench new --task crac2026",
    "codabench-missing": "codabench new --task crac26 --reference nowhere",
    "tasks": "tasks",
    "list-formats": "formats",
    "list-formats-json": "formats --output json",
    "names": "score key.conllua ours=system-A.conllua system-B.conllua --metric bcub,CEAF_e",
    "tasks-json": "tasks --output json",
    "errors": "errors key.conllua system-A.conllua",
    "errors-systems": (
        "errors key.conllua A=system-A.conllua system-B.conllua --type missing-element --examples 1"
    ),
    "errors-systems-csv": (
        "errors doubled.jsonl a=doubled.jsonl b=doubled.jsonl --doubled all --output csv"
    ),
    "errors-systems-warnings": "errors doubled.jsonl a=doubled.jsonl b=doubled.jsonl --doubled all",
    "errors-two": "errors two-key.conllua two.conllua --doc one --output csv",
    "errors-json": "errors key.conllua system-B.conllua --type missed-set,wrong-span --output json",
    "errors-examples": "errors key.conllua system-A.conllua --examples 1 --type missing-mention",
    "errors-settings": (
        "errors short.jsonl short.conll --format jsonl --key-format jsonl --response-format "
        "conll2012 --clusters-field clusters --convention ua --lea-importance 2 --missing empty "
        "--words ignore --zeros drop --doubled all --examples all"
    ),
    "errors-word-column": "errors numbered.conll bare-ids.conll --word-column 2",
    "errors-task": "errors zeros-key.conllu zeros.conllu --task crac24",
    "errors-window": "errors two-key.conllua two.conllua --window 5",
    "errors-across": "errors two-key.conllua two.conllua --across all",
    "errors-docs": "errors two-key.conllua two.conllua --docs split",
    "errors-parses": (
        "errors parsed-key.conll parsed.conll --no-split --no-singletons --np-only --remove-nested "
        "--match partial --zero-match linear"
    ),
    "errors-bad-documents": "errors two-key.conllua two-bad.conllua --bad-documents skip",
    "report": (
        "report key.conllua A=system-A.conllua system-B.conllua -o p.html --metric b3 --samples 9 "
        "--seed 1"
    ),
    "report-settings": (
        "report zeros-key.conllu zeros.conllu -o page.html --documents 1 --metrics muc,b3 --format "
        "corefud --key-format corefud --response-format corefud --match head --zeros keep "
        "--zero-match linear --convention ua --doubled all --lea-importance 2 --anaphors pronoun "
        "--by length "
        "--remove-nested --missing empty --words ignore --paired randomisation"
    ),
    "report-task": "report predicted.jsonl predicted.jsonl -o page.html --task conll12 "
    "--clusters-field predicted_clusters",
    "report-word-column": "report numbered.conll bare-ids.conll -o page.html --word-column 2",
    "report-layers": (
        "report layers-key.conllua layers.conllua -o page.html --layers identity,bridging "
        "--no-split --no-singletons"
    ),
    "report-bad-documents": (
        "report two-bad.conllua two.conllua -o page.html --bad-documents skip"
    ),
    "report-window": "report two-key.conllua two.conllua -o page.html --window 5",
    "report-across": "report two-key.conllua two.conllua -o page.html --across all",
    "report-docs": "report two-key.conllua two.conllua -o page.html --docs split",
    "report-layer": "report parsed-key.conll parsed.conll -o page.html --layer identity --np-only",
    "explain": "explain key.conllua system-A.conllua",
    "explain-worst": "explain two-key.conllua ours=two.conllua",
    "explain-all": "explain two-key.conllua two.conllua --all --metrics muc,b3",
    "explain-entity": "explain key.conllua system-A.conllua --entity 6 --metrics muc,blanc",
    "explain-doc": (
        "explain two-key.conllua two.conllua --doc one --metric b3 --convention ua --doubled all "
        "--output json"
    ),
    "explain-formats": (
        "explain short.jsonl short.conll --format jsonl --key-format jsonl --response-format "
        "conll2012 --clusters-field clusters --metric muc"
    ),
    "explain-settings": (
        "explain layers-key.conllua layers.conllua --match partial --zeros keep --zero-match "
        "linear --lea-importance 2 --remove-nested --missing empty --words ignore --metric lea"
    ),
    "explain-parses": (
        "explain parsed-key.conll parsed.conll --np-only --no-split --no-singletons --metric muc"
    ),
    "explain-word-column": ("explain numbered.conll bare-ids.conll --word-column 2 --metric muc"),
    "explain-bad-documents": (
        "explain two-bad.conllua two.conllua --bad-documents skip --metric muc"
    ),
    "explain-across": "explain two-key.conllua two.conllua --across all --metric muc",
    "explain-docs": "explain two-key.conllua two.conllua --docs split --metric muc",
    "explain-window": "explain key.conllua system-A.conllua --window 12 --metric muc",
    "explain-task": "explain layers-key.conllua layers.conllua --task conll12 --metric muc",
    "convert": "convert key.conllua - --to jsonl",
    "convert-format": "convert short.jsonl - --format jsonl --to conll2012",
    "convert-field": "convert predicted.jsonl - --to jsonl --clusters-field predicted_clusters",
    "convert-word-column": "convert numbered.conll - --to conll2012 --word-column 3",
    "convert-word-column-detected": "convert bare-ids.conll - --to conll2012",
    "convert-to-file": "convert all.conllua new.conll",
    "convert-left-out": "convert lost-bridge.conllua - --to llm-json",
    "convert-columns": "convert all.conllua - --to llm-text",
    "baseline": "baseline nowhere left.jsonl --method recent-2 -o -",
    "baseline-seed": "baseline nowhere left.jsonl --method random --seed 7 -o -",
    "baseline-pronouns": "baseline nowhere left.jsonl --method recent-3 --pronouns them,she -o -",
    "baseline-to": "baseline nowhere left.jsonl --method recent-2 --to corefud -o -",
    "baseline-to-file": "baseline nowhere left.jsonl --method recent-2 -o new.conllua",
    "baseline-oracle": (
        "baseline left-key.txt left.jsonl --method oracle --format jsonl --key-format jsonl -o -"
    ),
    "baseline-field": (
        "baseline nowhere predicted.jsonl --method single --clusters-field predicted_clusters -o -"
    ),
    "baseline-word-column": (
        "baseline bare-ids.conll numbered.conll --method oracle --to jsonl --word-column 2 -o -"
    ),
    "suite-tables": "suite suite/keys suite/A suite/B --tables datasets --decimals 1",
    "agreement-decimals": "agreement key.conllua system-A.conllua --tables alpha --decimals 4",
    **{
        f"errors-{output}": f"errors key.conllua system-B.conllua --output {output} --decimals 1"
        for output in ("markdown", "latex")
    },
    "errors-tables": "errors key.conllua system-B.conllua --tables errors",
    **{
        f"explain-{output}": f"explain key.conllua system-A.conllua --metrics muc,b3 "
        f"--output {output} --decimals 1 --tables sets,recall"
        for output in ("markdown", "latex")
    },
    "explain-tables": "explain key.conllua system-A.conllua --tables sets,recall",
    "explain-csv": "explain key.conllua system-A.conllua --metrics muc --output csv",
    **{
        f"stats-{output}": f"stats two-key.conllua --output {output} --tables counts --decimals 1"
        for output in ("markdown", "latex")
    },
    **{
        f"validate-{output}": f"validate suspicious.conllua --output {output}"
        for output in ("markdown", "latex", "csv")
    },
    "validate-tables": "validate suspicious.conllua --tables problems --decimals 1",
    "stats": "stats all.conllua",
    "stats-several": "stats short.jsonl characters.json",
    "stats-per-document": "stats two-key.conllua --per-document",
    "stats-format": "stats short.jsonl --format jsonl --clusters-field clusters",
    "stats-word-column": "stats bare-ids.conll --word-column 2",
    "stats-json": "stats all.conllua --output json --per-document",
    "stats-csv": "stats two-key.conllua --output csv --per-document",
    "stats-json-total": "stats characters.json --output json",
    "stats-empty": "stats empty.jsonl",
    "stats-left-out": "stats lost-bridge.conllua",
    "validate": "validate key.conllua suspicious.conllua",
    "validate-format": "validate short.jsonl --format jsonl --clusters-field clusters",
    "validate-layout": "validate bare-ids.conll numbered.conll",
    "validate-word-column": "validate bare-ids.conll numbered.conll --word-column 4",
    "validate-json": "validate suspicious.conllua --output json",
    "validate-errors": "validate wrong.conllua wrong.jsonl",
    "validate-errors-json": "validate wrong.conllua nowhere.conllua --output json",
}

STATUS = {
    "tables-unknown": 2,
    "tables-json": 2,
    "score-only-csv": 2,
    "score-only-macro": 2,
    "bad-documents-error": 2,
    "codabench-task": 2,
    "eval-results-undefined": 2,
    "eval-results-several": 2,
    "eval-results-no-id": 2,
    "eval-results-no-ids": 2,
    "eval-results-split-only": 2,
    "eval-results-bad-id": 2,
    "dataset-id": 2,
    "codabench-missing": 2,
    "errors-window": 2,
    "across-ids": 2,
    "report-window": 2,
    "broken": 2,
    "dask-and-jobs": 2,
    "keys-different": 2,
    "suite-contradiction": 2,
    "agreement-of-one": 2,
    "agreement-on-other-texts": 2,
    "fail-under": 1,
    "max-drop": 1,
    "validate-errors": 1,
    "validate-errors-json": 1,
    "validate-word-column": 1,
    "word-column-key": 2,
    "word-column-missing": 2,
}
"""The exit status of commands that do not end with 0."""

A: Side = [(frozenset({0, 3}), frozenset()), (frozenset({1}), frozenset())]
WITH_SET: Side = [*A, (frozenset({5, 6}), frozenset({0, 1}))]
WITHOUT_SET: Side = [*A, (frozenset({5, 6}), frozenset())]
SINGLETONS: Side = [(frozenset({0}), frozenset()), (frozenset({1}), frozenset())]


COLUMNS = "# global.columns = ID FORM UPOS IDENTITY BRIDGING DISCOURSE_DEIXIS\n"
OTHER_FORMATS = {
    "all.conllua": f"""\
{COLUMNS}# newdoc id = all
# sent_id = 1
1\tJohn\tPROPN\t(EntityID=1|MarkableID=m1|SemType=dn|ElementOf=3)\t_\t_
2\tmet\tVERB\t_\t_\t(EntityID=1)
3-4\tMary's\t_\t_\t_\t_
3\tMary\tPROPN\t(EntityID=2|MarkableID=m2|Min=3|ElementOf=3\t_\t_
4\t's\tPART\t)\t_\t_
4.1\tpro\tPRON\t(EntityID=2|MarkableID=m3)\t_\t_
5\tdoor\tNOUN\t(EntityID=4|MarkableID=m4)\t(MarkableID=m4|Rel=part|MentionAnchor=m2)\t_

6\tIt\tPRON\t(EntityID=5-Pseudo|MarkableID=m5|SemType=expletive)\t_\t_
7\tThey\tPRON\t(EntityID=3|MarkableID=m6)\t_\t_
8\tboth\tDET\t(EntityID=3|MarkableID=m7)\t_\t_
9\tthis\tPRON\t_\t_\t(EntityID=1)
10\tboth\tDET\t(EntityID=3|MarkableID=m7)\t_\t_
""",
    "lost-bridge.conllua": f"""\
{COLUMNS}1\tdoor\t_\t(EntityID=4|MarkableID=m4)\t(MarkableID=m4|EntityAnchor=9)\t_
""",
    "suspicious.conllua": f"""\
{COLUMNS}1\tThey\t_\t(EntityID=1|MarkableID=m1)\t(MarkableID=m1|EntityAnchor=1)\t_
2\tJohn\t_\t(EntityID=2|ElementOf=1)(EntityID=3)\t_\t_
3\the\t_\t(EntityID=2|ElementOf=1)\t_\t_
""",
    "wrong.conllua": f"""\
{COLUMNS}1\ta\t_\t(EntityID=1|ElementOf=7\t_\t_
x\tb\t_\t_\t_\t_
3\tc\t_\t(MarkableID=m)\t_\t_
4\td\t_\t(EntityID=2))\t_\t_
5\te\t_\tm9)\t_\t_
""",
    "wrong.jsonl": """\
{"doc_key": "a", "tokens": ["x", "y"], "clusters": [[[0, 2]], [[1]], 3]}
{"doc_key": "b", "tokens": ["x", "y"], "clusters": [[[0, 0]]
{"doc_key": "c", "tokens": ["x", "y"]}
""",
    "doubled.jsonl": """\
{"doc_key": "d", "sentences": [["a", "b", "m"]], "clusters": [[[0, 0], [2, 2]], [[1, 1], [2, 2]]]}
""",
    "predicted.jsonl": """\
{"tokens": ["a", "b"], "clusters": [[[0, 0], [1, 1]]], "predicted_clusters": [[[0, 1], [1, 1]]]}
""",
    "short.jsonl": """\
{"doc_key": "s", "tokens": ["a", "b", "c"], "clusters": [[[0, 0], [2, 2]]]}
""",
    "left.jsonl": """\
{"doc_key": "left", "sentences": [["Ann", "met", "Bob", "."], ["They", "saw", "Cem", "."], \
["She", "and", "Dan", "left", "them", "."]], \
"clusters": [[[0, 0], [8, 8]], [[2, 2]], [[4, 4]], [[6, 6]], [[10, 10]], [[12, 12]]]}
""",
    "left-key.txt": """\
{"doc_key": "left", "sentences": [["Ann", "met", "Bob", "."], ["They", "saw", "Cem", "."], \
["She", "and", "Dan", "left", "them", "."]], \
"clusters": [[[0, 0], [8, 8]], [[2, 2]], [[4, 4]], [[6, 6]], [[10, 10]], [[12, 12]]], \
"split_antecedents": [[[4, 4], [0, 0]], [[4, 4], [2, 2]], [[12, 12], [2, 2]], [[12, 12], [6, 6]]]}
""",
    "short.conll": "#begin document (s); part 000\na (1)\nb -\nc (1)\n#end document\n",
    "numbered.conll": """\
#begin document n
1\tDie\tdie\tART\t(1
2\trote\trot\tADJ\t_
3\tKatze\tKatze\tNN\t1)

1\tSie\tsie\tPRO\t(1)
#end document n
""",
    "bare-ids.conll": """\
#begin document n
1\tDie\t-\t(1
2\trote\t-\t1
3\tKatze\t-\t1)|(2)

1\tSie\t-\t(1)
#end document n
""",
    "rewritten.txt": "a|[e1] x y c|[e1] d\n",
    "broken.txt": "Here you are:\n```\na|[e1 x b|[] c|e2] d\n```\n",
    "characters.json": """\
{"text": "Ann, she", "entities": [[[0, 3], [5, 8]]], "includes": [[]]}
""",
    "empty.jsonl": """{"doc_key": "s", "tokens": ["a"], "clusters": []}\n""",
}


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return JSON outputs to merge, by name of file."""
    key, response = (tmp_path_factory.mktemp("results") / name for name in ("key", "response"))
    key.write_text(write_ua(WITH_SET, name="one") + write_ua(A, name="two"), encoding="utf-8")
    response.write_text(
        write_ua(WITHOUT_SET, name="one") + write_ua(A, name="two"), encoding="utf-8"
    )
    return {
        "part-1.json": anascore.compare(KEY, SYSTEMS[:1]).to_json(),
        "part-2.json": anascore.compare(key, {"system-A": response}).to_json(),
        "two-systems.json": anascore.compare(KEY, SYSTEMS[:2], metrics="muc,conll").to_json(),
    }


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, results: dict[str, str]) -> Path:
    """Work in a folder with files to score."""
    for path in (KEY, *SYSTEMS):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    response = SYSTEMS[0].read_text(encoding="utf-8")
    long = "a-system-with-a-name-that-is-too-long-for-its-column"
    (tmp_path / "sub").mkdir()
    two = write_ua(WITH_SET, name="one") + write_ua(A, name="two")
    texts = {
        "sub/system-A": response,
        "a-longer-name": response,
        long: response,
        "other-words": response.replace("John", "Johann"),
        "two-key": two,
        "two": write_ua(WITHOUT_SET, name="one") + write_ua(A, name="two"),
        "two-bad": write_ua(WITH_SET, name="one")
        + write_ua(A, name="two").replace("(EntityID=1)", "(EntityID=1"),
        "one-of-two": write_ua(WITH_SET, name="one"),
        "zeros": write_ua(A).replace("\n4\t", "\n3.1\t"),
        "two-singletons": write_ua(SINGLETONS, name="one") + write_ua(A, name="two"),
        "singletons": write_ua(SINGLETONS),
        "repeated": write_ua(SINGLETONS).replace("(EntityID=1)", "(EntityID=0)(EntityID=1)"),
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.conllua").write_text(text, encoding="utf-8")
    for name, text in {**OTHER_FORMATS, **SAMPLES, **results}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    copies = {
        "keys/first.conllua": "two-key.conllua",
        "keys/second.conllu": "zeros-key.conllu",
        "A/first.conllua": "two-singletons.conllua",
        "A/second.conllu": "zeros.conllu",
        "B/first.conllua": "two.conllua",
        "B/second/d.conllu": "zeros-key.conllu",
        "parsed-keys/a.conll": "parsed-key.conll",
        "parsed/a.conll": "parsed.conll",
        "predicted/a.jsonl": "predicted.jsonl",
    }
    for copy, name in copies.items():
        (tmp_path / "suite" / copy).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "suite" / copy).write_bytes((tmp_path / name).read_bytes())
    copy_example(str(tmp_path / "example"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", COMMANDS)
def test_golden(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(shlex.split(COMMANDS[name]))

    output = capsys.readouterr()
    found = f"$ anascore {COMMANDS[name]}\n{output.out}{output.err}"
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(found, encoding="utf-8")
    assert status == STATUS.get(name, 0)
    assert path.read_text(encoding="utf-8") == found


def test_no_golden_file_is_left_over() -> None:
    # test_golden finds missing files. It may be writing new ones in another process.
    assert {path.stem for path in GOLDEN.iterdir()} <= {*COMMANDS}


@pytest.mark.parametrize("command", COMMANDS_OF_THE_LINE)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([command, "--help"])

    assert f"usage: anascore {command}" in capsys.readouterr().out


def test_every_option_is_replayed() -> None:
    (commands,) = (
        action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)
    )
    options = {
        (name, option)
        for name, command in commands.choices.items()
        for action in command._actions
        for option in action.option_strings
        if option.startswith("--") and option not in {"--help", "--out"}  # see test_out.py
    }

    lines = [command.split() for command in COMMANDS.values()]
    replayed = {(words[0], word) for words in lines for word in words[1:]}

    assert options <= replayed


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "name",
    [
        name
        for name, command in COMMANDS.items()
        if command.startswith(("score", "suite", "stats", "demo")) and "--output" not in command
    ],
)
def test_tables_fit_into_80_columns(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(shlex.split(COMMANDS[name]))

    lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= 80 for line in lines if "anascore:" not in line)
    assert not any("\x1b" in line or line != line.rstrip() for line in lines)


def json_of(command: str, capsys: pytest.CaptureFixture[str]) -> Any:
    assert main([*shlex.split(command), "--output", "json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.usefixtures("folder")
def test_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    found = json_of("score key.conllua system-A.conllua system-B.conllua", capsys)

    assert list(found) == ["anascore", "schema", "signature", "systems"]
    assert [system["name"] for system in found["systems"]] == ["system-A", "system-B"]
    layer = found["systems"][0]["layers"]["identity"]
    assert "documents" not in layer
    assert layer["scores"]["blanc"]["recall"] == 729819 / 1297664
    assert layer["split_only"]["muc"] == {
        "recall": 5 / 14,
        "precision": 1.0,
        "f1": 10 / 19,
    }


@pytest.mark.usefixtures("folder")
def test_undefined_is_null_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = json_of("score singletons.conllua singletons.conllua", capsys)

    muc = found["systems"][0]["layers"]["identity"]["scores"]["muc"]
    assert muc == {"recall": None, "precision": None, "f1": None}
    assert found["systems"][0]["warnings"] == [
        "CoNLL leaves out MUC, which is undefined",
        "BLANC leaves out coreference links, because neither side has any",
    ]


@pytest.mark.usefixtures("folder")
def test_csv_can_be_read_back_and_warnings_go_to_standard_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(shlex.split("score singletons.conllua repeated.conllua --output csv --metrics muc,b3"))

    output = capsys.readouterr()
    rows = list(csv.DictReader(io.StringIO(output.out)))
    assert [(row["metric"], row["recall"]) for row in rows] == [("muc", ""), ("b3", "1.0")]
    assert output.err == (
        "anascore: warning: repeated: response: mentions that are also in an earlier entity, "
        "counted only there: 1\n"
    )


@pytest.mark.usefixtures("folder")
def test_the_files_of_the_demo_can_be_scored(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--files", "new folder/example"]) == 0
    hint = capsys.readouterr().out.removeprefix("Now try: anascore ")

    assert main(shlex.split(hint)) == 0
    scores = capsys.readouterr().out
    assert all(f"\n{name} " in scores for name in ("key", "neural", "rules"))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("terminal", "browser", "message"),
    [
        (True, True, f"{PAGE} is open in a browser.\n"),
        (True, False, f"Now open {PAGE} in a browser.\n"),
        (False, True, f"Now open {PAGE} in a browser.\n"),
    ],
)
def test_the_report_of_the_demo_is_opened_on_a_terminal(
    *,
    terminal: bool,
    browser: bool,
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[str] = []

    def open_page(address: str) -> bool:
        opened.append(address)
        return browser

    monkeypatch.setattr("webbrowser.open", open_page)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)

    assert main(["demo", "--report"]) == 0

    assert capsys.readouterr().out == message
    assert opened == ([Path(PAGE).resolve().as_uri()] if terminal else [])
    assert "story_lighthouse" in Path(PAGE).read_text(encoding="utf-8")


@pytest.mark.usefixtures("folder")
def test_copying_the_demo_overwrites_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    Path("there").mkdir()
    Path("there/rules.jsonl").write_text("mine")

    assert main(["demo", "--files", "there"]) == 2

    expected = "there/rules.jsonl: this file already exists; choose another folder"
    assert capsys.readouterr().err == f"anascore: error: {expected}\n"
    assert [path.name for path in Path("there").iterdir()] == ["rules.jsonl"]


@pytest.mark.usefixtures("folder")
def test_copying_the_demo_leaves_nothing_half_done(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill_disk(source: Path, target: Path) -> None:
        target.write_bytes(source.read_bytes()[:10])
        if target.name == "rules.conllu":
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("anascore.example.files.shutil.copyfile", fill_disk)

    assert main(["demo", "--files", "full"]) == 2

    assert capsys.readouterr().err == (
        "anascore: error: full: the example cannot be written to this folder: "
        "No space left on device\n"
    )
    assert list(Path("full").iterdir()) == []


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("score key.conllua", "the following arguments are required: RESPONSE"),
        ("score short.conll x --word-column 0", "must be a whole number, at least 1, not 0"),
        ("score short.conll x --word-column two", "--word-column: 'two' is not a whole number"),
        ("score key.conllua x --word-column 2", "--word-column is only for CoNLL-2012"),
        ("score key.conllua x --zeros maybe", "invalid choice: 'maybe'"),
        ("score key.conllua x --metrics muc,bleu", "no such metric: bleu; choose from muc, b3"),
        ("score key.conllua x --lea-importance 0", "must be a whole number, at least 1, not 0"),
        ("score key.conllua x --no-singletons", "(--no-singletons --no-split, in Python sing"),
        ("score key.conllua x --split-only --no-split", "--split-only contradicts --no-split"),
        ("score key.conllua x --split-only --metrics mentions", "shows none of these"),
        (
            "score key.conllua x --zeros drop --zero-match dependent",
            "when they are dropped; remove",
        ),
        ("score key.conllua x --split-only --by length", "--by reports scores that"),
        ("score key.conllua x --zeros drop --anaphors zero", "when they are dropped; remove"),
        ("score key.conllua x --anaphors", "expected one argument"),
        (
            "errors key.conllua x --type typo",
            "--type typo: no such type of error; choose from wrong",
        ),
        ("errors key.conllua x --examples -1", "--examples -1: give a number from 0 up, or all"),
        ("errors key.conllua system-A.conllua --doc x", "--doc x: the key has no such document; i"),
        ("errors key.conllua system-A.conllua --doc exampl", "(did you mean 'example'?); it has "),
        ("explain key.conllua system-A.conllua --entity K99", "--entity K99: no entity has this"),
        ("explain key.conllua x --metric conll", "--metric conll: only muc, b3, ceafe, ceafm, lea"),
        ("explain key.conllua x --task codicrac-dd", "explain works on the layer identity, but"),
        ("explain key.conllua x y", "explain takes one response, not 2; see anascore explain --h"),
        ("explain key.conllua x --document d", "--document d (did you mean '--doc'?); see"),
        ("explain key.conllua x --documents=d", "--documents=d (did you mean '--doc'?); see"),
        ("explain key.conllua x --layer bridging", "unrecognized arguments: --layer bridging"),
        ("score key.conllua x --fail-under conll", "--fail-under conll: give a score and its lowe"),
        ("score key.conllua x --fail-under conl=7", "conl: it is not reported (did you mean 'con"),
        (
            "score key.conllua x --metrics muc --fail-under conll=70",
            "--fail-under conll: it is not reported; choose from muc",
        ),
        ("score key.conllua x --fail-under conll=101", "conll=101: '101' is not a number from 0"),
        ("score key.conllua x --fail-under conll=-1", "conll=-1: '-1' is not a number from 0 to"),
        ("score key.conllua x --fail-under conll=nan", "'nan' is not a number from 0 to 100"),
        ("score key.conllua x --fail-under b3=10,bcub=20", "--fail-under: b3 is given twice"),
        (
            "score key.conllua x --fail-under muc=70,conll=0.7",
            '--fail-under conll=0.7 (in Python fail_under={"conll": 0.7}) is a limit of 0.7 per '
            "cent, since limits are percentages; did you mean conll=70?",
        ),
        ("score key.conllua x --fail-under conll=1", "did you mean conll=100?"),
        ("score key.conllua x --max-drop 1", "--max-drop needs --baseline; add --baseline FILE"),
        ("score key.conllua x --baseline b --max-drop x", "--max-drop: 'x' is not a number from"),
        ("score key.conllua x --baseline nowhere", "nowhere: no such file"),
        ("score key.conllua x --baseline key.conllua", "key.conllua:1: "),
        ("score key.conllua - --baseline -", "standard input (-) can be read only once; give"),
        ("score key.conllua x --score muc", "--score chooses the score of tables by class and"),
        (
            "score key.conllua x --metrics muc --by length --score leaa",
            "--score leaa: it is not reported; choose from muc, b3, mentions, anaphors",
        ),
        (
            "score key.conllua x --metrics muc --per-document --score anaphors",
            "--score anaphors: it is not reported; choose from muc",
        ),
        (
            "score key.conllua x --metrics muc --per-document --sort-by lea",
            "--sort-by lea: it is not reported; choose from muc",
        ),
        ("score key.conllua x --macro --split-only", "--macro reports scores that --split-"),
        ("score key.conllua x --paired bootstrap", "compares responses with the first one; give"),
        ("score key.conllua x --samples 10", "--samples needs --confidence or --paired; add"),
        (
            "score key.conllua x --confidence --samples 0",
            "error: --samples must be a whole number, at least",
        ),
        (
            "score key.conllua x --confidence --seed -1",
            "error: --seed must be a whole number, at least 0",
        ),
        (
            "score key.conllua x --confidence --split-only",
            "test scores that --split-only leaves out",
        ),
        ("score key.conllua x --anaphors pronouns", "--anaphors must be zero, pronoun, or NAME"),
        ("score key.conllua x --metrics anaphors", "needs a class of anaphors; name one"),
        ("score key.conllua x --layers bridging --anaphors pronoun", "--anaphors needs a layer"),
        (
            "score key.conllua x --layers identity,deixis",
            "no such layer: 'deixis'; choose from ide",
        ),
        ("score key.conllua x --layers identity,identity", "--layers has identity twice"),
        ("score key.conllua x --layer all", "invalid choice: 'all'"),
        ("score key.conllua x --layer bridging --layers all", "not allowed with argument"),
        ("score key.conllua x --metrics non-referring", "non-referring is a score of the layer"),
        ("score key.conllua x --task conll11", "'conll11' (did you mean 'conll12'?); choose from"),
        (
            "score key.conllua x --task crac23 --match exact",
            "match exact contradicts the task crac23, which sets match head; remove one of them",
        ),
        (
            "score key.conllua x --task codicrac-dd --layer identity",
            "layers identity contradicts the task codicrac-dd, which sets layers discourse-deixis",
        ),
        (
            "score key.conllua x --task conll12 --metrics muc,lea",
            "metrics lea contradict the task conll12, whose scores are muc,b3,ceafe,conll; choose",
        ),
        (
            "score key.conllua x --task codicrac-ar --no-split",
            "split no contradicts the task codicrac-ar, which sets split yes",
        ),
        ("score key.conllua x --task crac22 --split-only", "contradicts the task crac22, which"),
        (
            "score key.conllua x --split",
            "ts: --split (did you mean '--no-split'?); see anascore sc",
        ),
        ("score key.conllua x --metrcs=muc", "--metrcs=muc (did you mean '--metrics'?); see anasc"),
        ("stats x --colour", "unrecognized arguments: --colour; see anascore stats --help"),
        ("stats x 1 --colour", "unrecognized arguments: --colour; see anascore stats --help"),
        ("demo x", "unrecognized arguments: x; see anascore demo --help"),
        ("scor x", "COMMAND: invalid choice: 'scor' (did you mean 'score'?); choose from score, "),
        ("score key.conllua x --format corefd", "'corefd' (did you mean 'corefud'?); choose from"),
        ("score key.conllua x --match exat", "'exat' (did you mean 'exact'?); choose from exact, "),
        ("score key.conllua x --metrics blank", "blank (did you mean 'blanc'?); choose from muc, "),
        (
            "score key.conllua x --layers bridgin",
            "'bridgin' (did you mean 'bridging'?); choose from",
        ),
        (
            "score key.conllua x --by lenght",
            "by 'lenght' (did you mean 'length'?); choose from leng",
        ),
        (
            "errors key.conllua x --type missed-sets",
            "of error (did you mean 'missed-set'?); choose",
        ),
        ("score key.conllua a=x a=y", "two responses are named 'a'; give each a different name"),
        (
            "score key.conllua x=y x.conllua",
            "two responses are named 'x'; give each a different name",
        ),
        ("score key.conllua a= b", "'a=' lacks a path after the equals sign"),
        (
            "baseline k x -o - --method recent",
            "method must be random, recent-N with N of at least 2",
        ),
        ("baseline k x -o - --method recent-1", "or oracle, not 'recent-1'"),
        (
            "baseline k x -o - --method random --seed -1",
            "seed must be a whole number, at least 0",
        ),
        (
            "baseline k x -o - --method random --seed 1.5",
            "argument --seed: '1.5' is not a whole number",
        ),
        (
            "baseline k x -o - --method random --pronouns ''",
            "pronouns must be one or more words, none of them empty, not ['']",
        ),
        ("baseline k x -o -", "the following arguments are required: --method"),
        ("baseline k x --method single", "the following arguments are required: -o"),
        ("baseline - - -o - --method oracle", "standard input (-) can be read only once; give"),
        ("score key.conllua x --colour", "unrecognized arguments: --colour"),
        ("", "the following arguments are required: COMMAND"),
    ],
)
def test_bad_options(arguments: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """They are found before anything is read: there is no file x."""
    status = main(shlex.split(arguments))

    output = capsys.readouterr()
    assert (status, output.out) == (2, "")
    assert message in output.err
    assert output.err.count("\n") == 1


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([option])

    assert stop.value.code == 0
    assert "anascore" in capsys.readouterr().out


def run(command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a shell command in which `anascore` is the command of this interpreter."""
    anascore = f"{shlex.quote(sys.executable)} -m anascore"
    return subprocess.run(
        ["bash", "-c", command.replace("anascore", anascore)],
        capture_output=True,
        check=False,
        env=os.environ | environment,
    )


@pytest.mark.usefixtures("folder")
def test_output_is_utf_8_whatever_the_locale() -> None:
    done = run("anascore demo", LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0")

    assert done.returncode == 0
    assert "B³" in done.stdout.decode("utf-8")


def test_output_can_go_to_any_stream() -> None:
    with contextlib.redirect_stdout(io.StringIO()) as stream:
        assert main(["demo"]) == 0

    assert "neural" in stream.getvalue()


@pytest.mark.usefixtures("folder")
def test_a_reader_that_goes_away_is_no_error() -> None:
    done = run("set -o pipefail; anascore score key.conllua system-{A,B,C,D}.conllua | true")

    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device /dev/full")
@pytest.mark.usefixtures("folder")
def test_a_full_disk_is_an_error() -> None:
    done = run("anascore demo > /dev/full")

    assert done.returncode == 2
    assert done.stderr == b"anascore: error: no output: No space left on device\n"


@pytest.mark.usefixtures("folder")
def test_names_of_files_can_be_anything() -> None:
    done = run(r"cp system-A.conllua $'\xff.conllua'; anascore score key.conllua $'\xff.conllua'")
    missing = run(r"anascore score key.conllua $'\xfe\n.conllua'")

    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"\udcff  65.15" in done.stdout
    assert missing.returncode == 2
    assert missing.stderr == rb"anascore: error: \udcfe\n.conllua: no such file" + b"\n"


@pytest.mark.usefixtures("folder")
def test_closed_streams_are_no_crash() -> None:
    without_output = run("anascore demo >&-")
    without_errors = run("anascore score nowhere nowhere 2>&-")

    assert without_output.returncode == 2
    assert without_output.stderr == b"anascore: error: no output: standard output is closed\n"
    assert (without_errors.returncode, without_errors.stdout) == (2, b"")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("name", "message"),
    [("", "'': a folder must have a name"), ("x" * 300, "the example cannot be written")],
)
def test_the_demo_cannot_be_copied_anywhere(
    name: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--files", name]) == 2
    assert message in capsys.readouterr().err


def test_an_interrupt_leaves_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("anascore.formats.reading.read_corpus", interrupt)

    assert main(["score", "key", "response"]) == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("collecting", [True, False])
def test_garbage_is_collected_as_before_when_a_command_is_done(*, collecting: bool) -> None:
    (gc.enable if collecting else gc.disable)()

    main(["demo"])

    assert gc.isenabled() is collecting
    gc.enable()


def test_no_garbage_is_collected_while_a_command_works(monkeypatch: pytest.MonkeyPatch) -> None:
    collecting = []

    def run(*_: object) -> CommandResult:
        collecting.append(gc.isenabled())
        return CommandResult("")

    monkeypatch.setattr("anascore.cli.demo.run_demo", run)

    assert main(["demo"]) == 0
    assert collecting == [False]
    assert gc.isenabled()

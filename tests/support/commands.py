"""Command lines with every option, and a folder with their files."""

from pathlib import Path

import pytest

import anascore
from anascore.example import copy_example
from support.documents import write_ua
from support.metric_oracles import Side
from support.paper import KEY, SYSTEMS
from support.samples import SAMPLES

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
    "repeated-mentions": "score repeated.jsonl repeated.jsonl --repeated-mentions all",
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
    "--no-split --convention paper --repeated-mentions first --zeros keep --zero-match linear "
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
        "errors repeated.jsonl a=repeated.jsonl b=repeated.jsonl --repeated-mentions all "
        "--output csv"
    ),
    "errors-systems-warnings": (
        "errors repeated.jsonl a=repeated.jsonl b=repeated.jsonl --repeated-mentions all"
    ),
    "errors-two": "errors two-key.conllua two.conllua --doc one --output csv",
    "errors-json": "errors key.conllua system-B.conllua --type missed-set,wrong-span --output json",
    "errors-examples": "errors key.conllua system-A.conllua --examples 1 --type missing-mention",
    "errors-settings": (
        "errors short.jsonl short.conll --format jsonl --key-format jsonl --response-format "
        "conll2012 --clusters-field clusters --convention ua --lea-importance 2 --missing empty "
        "--words ignore --zeros drop --repeated-mentions all --examples all"
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
        "--zero-match linear --convention ua --repeated-mentions all --lea-importance 2 "
        "--anaphors pronoun --by length "
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
        "explain two-key.conllua two.conllua --doc one --metric b3 --convention ua "
        "--repeated-mentions all --output json"
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
    "repeated.jsonl": """\
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

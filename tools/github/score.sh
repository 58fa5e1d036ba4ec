#!/usr/bin/env bash
# The step of action.yml that scores. Variables with the names of the inputs say what to do. The
# platform names the files for the summary of the job (GITHUB_STEP_SUMMARY) and for outputs
# (GITHUB_OUTPUT), and a folder for temporary files (RUNNER_TEMP).
set -euo pipefail

fail() {
    echo "::error title=anascore::$1"
    exit 2
}

responses=()
while read -r line; do
    if [[ -n $line ]]; then responses+=("$line"); fi
done <<< "${RESPONSE:-}"
if [[ -z ${KEY:-} ]]; then fail "name a key"; fi
if ((${#responses[@]} == 0)); then fail "name a response"; fi

# Quotes are as in a shell, but nothing is expanded.
options=()
words=$(python -c 'import shlex, sys; [print(word) for word in shlex.split(sys.argv[1])]' \
    "${OPTIONS:-}" 2> /dev/null) || fail "options have a quote that is never closed: $OPTIONS"
while IFS= read -r word; do
    if [[ -n $word ]]; then options+=("$word"); fi
done <<< "$words"
if [[ -n ${TASK:-} ]]; then options+=(--task "$TASK"); fi
limits=()
if [[ -n ${FAIL_UNDER:-} ]]; then limits+=(--fail-under "$FAIL_UNDER"); fi
if [[ -n ${BASELINE:-} ]]; then limits+=(--baseline "$BASELINE"); fi
if [[ -n ${MAX_DROP:-} ]]; then limits+=(--max-drop "$MAX_DROP"); fi

# Old versions of bash take an empty list for an unset variable.
arguments=("$KEY" "${responses[@]}" ${options[@]+"${options[@]}"})
json=$RUNNER_TEMP/anascore.json
messages=$RUNNER_TEMP/anascore-messages.txt
status=0
anascore score "${arguments[@]}" ${limits[@]+"${limits[@]}"} --output json \
    > "$json" 2> "$messages" || status=$?
cat "$messages" >&2

# Messages are annotations of the job, in which a percent sign starts an escape.
sed -nE 's/%/%25/g; s/^anascore: (error|failed): /::error title=anascore::/p' "$messages"

{
    echo "## anascore"
    echo
    if ((status < 2)); then anascore merge "$json" --output markdown; fi
    if [[ -s $messages ]]; then
        echo
        sed 's/^/    /' "$messages"
    fi
} >> "$GITHUB_STEP_SUMMARY"
if ((status >= 2)); then exit "$status"; fi

{
    python -c '
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    first, *others = json.load(file)["systems"][0]["layers"].values()
score = first["scores"].get("conll", {}).get("f1")
print("conll=" if score is None else f"conll={100 * score:.2f}")
' "$json"
    echo "json=$json"
} >> "$GITHUB_OUTPUT"
if [[ -n ${REPORT:-} ]]; then anascore report "${arguments[@]}" -o "$REPORT"; fi
exit "$status"

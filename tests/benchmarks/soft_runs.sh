# Runs of benchmarks on soft devices, and questions about their documents: source it, after setting
# perf, mpirun and validate.
# shellcheck shell=bash
# shellcheck source=tests/lab/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lab/common.sh"
# mpirun refuses to run as root unless told; here it may.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
for variable in "${!SOFTROCE_@}" "${!RAILGAUGE_@}"; do unset "$variable"; done

# run_perf NAME RANKS [ARGUMENT...]: document NAME.json, output NAME.out and NAME.err in $scratch.
run_perf() {
    local name=$1 ranks=$2
    shift 2
    timeout 120 "$mpirun" --oversubscribe -np "$ranks" "$perf" -J "$scratch/$name.json" "$@" \
        > "$scratch/$name.out" 2> "$scratch/$name.err"
}

# ends_with CODE NAME RANKS [ARGUMENT...]
ends_with() {
    local code=$1 status=0
    shift
    run_perf "$@" || status=$?
    equal "$code" "$status" || { cat "$scratch/$1.out" "$scratch/$1.err"; return 1; }
}

# beside_others COMMAND...: while two programs compute, and rest, in turn.
beside_others() {
    local status=0 others=()
    for _ in 1 2; do
        timeout 300 /usr/bin/python3 -c "
import time
while True:
    since = time.monotonic()
    while time.monotonic() - since < 0.7: pass
    time.sleep(0.4)" &
        others+=($!)
    done
    "$@" || status=$?
    kill "${others[@]}"
    return "$status"
}

# says NAME WORDS, once, on stderr.
says() { equal 1 "$(grep -cE -- "$2" "$scratch/$1.err")" || { cat "$scratch/$1.err"; return 1; }; }

valid() { "$validate" "$scratch/$1.json"; }

# Of the runs that failed or were interrupted, too.
all_are_valid() {
    "$validate" "$scratch"/*.json > "$scratch/verdicts" || { grep -v ': valid$' "$scratch/verdicts"; return 1; }
}

# apart FUNCTION: its checks, in a folder of their own, next to what follows: for runs that wait for a time-out.
declare -A apart
apart() {
    mkdir "$scratch/$1"
    (
        scratch=$scratch/$1 failed=()
        "$1"
        check "every document of $1 is valid" all_are_valid
        [ ${#failed[@]} = 0 ]
    ) > "$scratch/$1.said" 2>&1 &
    apart[$1]=$!
}

# joined FUNCTION: when it is over, and what it said.
joined() {
    wait "${apart[$1]}" || failed+=("$1")
    cat "$scratch/$1.said"
}

# query NAME EXPRESSION: of the document d, in Python. Its placements are those that can be verified:
# in place, all-to-all and sendrecv overwrite what they have not sent yet, and are only timed.
query() {
    /usr/bin/python3 -c "import json, re, sys
d = json.load(open(sys.argv[1]))
rails = [rail for rank in d['ranks'] for rail in rank['rails']]
copied = d.get('collective') in ('alltoall', 'alltoallv', 'sendrecv')
placements = [p for r in d['rows'] for p in (r['out_of_place'], None if copied else r['in_place']) if p]
sys.exit(0 if ($2) else 'not true of the document: ' + sys.argv[2])" "$scratch/$1.json" "$2"
}

# has_label NAME WORDS: in the table's head and foot.
has_label() { equal 2 "$(grep -cxF -- "# $2" "$scratch/$1.out")" || { cat "$scratch/$1.out"; return 1; }; }

# shellcheck disable=SC2034 # for who sources this
readonly none_wrong='placements and all(p["wrong"] == 0 for p in placements)'

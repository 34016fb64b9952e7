# Shared by what runs all_reduce_perf on two hosts of the laboratory: source it behind common.sh.
# shellcheck shell=bash

here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
mpirun=$here/../../launchers/mpirun
documents=$RAILGAUGE_RESULTS

# perf NAME [ARGUMENT...]: four ranks; document NAME.json, output in $scratch.
perf() {
    local name=$1
    shift
    "$mpirun" -np 4 all_reduce_perf -J "$documents/$name.json" "$@" \
        > "$scratch/$name.out" 2> "$scratch/$name.err"
}

# ends_with CODE NAME [ARGUMENT...]
ends_with() {
    local code=$1 status=0
    shift
    perf "$@" || status=$?
    equal "$code" "$status" || { cat "$scratch/$1.out" "$scratch/$1.err"; return 1; }
}

# says NAME WORDS: on stderr and, if there is a document, in it.
says() { grep -qE -- "$2" "$scratch/$1.err" || { cat "$scratch/$1.err"; return 1; }; }

# query NAME EXPRESSION: of the document d, in Python.
query() {
    /usr/bin/python3 -c "import json, sys
d = json.load(open(sys.argv[1]))
sys.exit(0 if ($2) else 'not true of the document: ' + sys.argv[2])" "$documents/$1.json" "$2"
}

fault() { "$lab" fault "$@"; }

# when_data_flow COMMAND...: once a run that begins now sends over rail 0; to begin takes fewer packets.
sent_packets() { cat /sys/class/infiniband/rxe0/ports/1/hw_counters/sent_pkts; }
data_flow() { [ $(($(sent_packets) - $1)) -gt 2000 ]; }
when_data_flow() {
    within 60 data_flow "$(sent_packets)"
    "$@"
}

# Shared by the tests of launchers/lab: source it. A check that passes prints one line, and one that
# fails what its command printed as well; finish counts, and names those that failed once more.
# shellcheck shell=bash

lab=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../launchers/lab")
failed=()
exec 3>&1   # for what is to be seen while a check goes on
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# check WHAT COMMAND...: the command must succeed. What took long says so.
check() {
    local what=$1 began=$SECONDS took=
    shift
    if "$@" > "$scratch/check" 2>&1; then
        [ $((SECONDS - began)) -lt 5 ] || took=" ($((SECONDS - began)) s)"
        echo "ok: $what$took"
    else
        echo "FAILED: $what"
        tail -n 60 "$scratch/check"
        failed+=("$what")
    fi
}

equal() {
    [ "$1" = "$2" ] || { printf 'expected: %s\ngot: %s\n' "$1" "$2"; return 1; }
}

# refused CODE WORD COMMAND...: ends with CODE and one sentence on stderr that holds WORD.
refused() {
    local code=$1 word=$2 status=0
    shift 2
    "$@" > /dev/null 2> "$scratch/stderr" || status=$?
    if [ "$status" != "$code" ] || [ "$(wc -l < "$scratch/stderr")" != 1 ] ||
        ! grep -qF -- "$word" "$scratch/stderr"; then
        echo "exit status $status, stderr:"
        cat "$scratch/stderr"
        return 1
    fi
}

# within SECONDS COMMAND...: the command must come to succeed.
within() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.2
    done
}

# Nothing of the laboratory whose process was $1: no guest, no switch, no folder.
is_gone() {
    ! pgrep -f "railgauge-lab\.$1\." > /dev/null &&
        [ -z "$(compgen -G "${TMPDIR:-/tmp}/railgauge-lab.$1.*")" ]
}

skip_without_lab() {
    local reason
    if ! reason=$("$lab" prepare 2>&1); then
        echo "skipped: $reason"
        exit 77
    fi
}

finish() {
    [ ${#failed[@]} = 0 ] || printf 'FAILED: %s\n' "${failed[@]}"
    echo "${#failed[@]} checks failed"
    [ ${#failed[@]} = 0 ]
    exit
}

# Shared by the tests of the launchers: source it. Every expectation prints one line.
# shellcheck shell=bash

failures=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run COMMAND...: sets status and output.
run() {
  status=0
  output=$("$@" 2>&1 </dev/null) || status=$?
}

# expect WHAT STATUS PATTERN, of the last run; the pattern is matched against the whole output.
expect() {
  if [[ $status == "$2" && $output =~ $3 ]]; then
    echo "ok: $1"
  else
    printf 'FAILED: %s: exit %s (not %s), output (not /%s/):\n%s\n' "$1" "$status" "$2" "$3" "$output"
    failures=$((failures + 1))
  fi
}

# stand_in NAME SCRIPT: a program in $work/bin
stand_in() {
  mkdir -p "$work/bin"
  printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

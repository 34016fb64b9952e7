# Shared by ci/test and ci/nightly, which source it in the project's folder. A part that fails is named at
# the end, and does not keep the next from running.
# shellcheck shell=bash

failed=()         # parts
failed_tests=()   # "build: test: case"
took=()           # "part 3 min 20 s"
summary=          # ctest's last one, which is shown at the end
compiled=$PWD/build/ccache.log
costs=$PWD/build/costs.txt   # "12.5 release: schedule_test", in seconds: what was compiled or tested
began=$(date +%s)

say() { echo "ci/$(basename "$0"): $*"; }

minutes() { printf '%d min %02d s' $(($1 / 60)) $(($1 % 60)); }

# part NAME COMMAND...
part() {
  local began=$SECONDS status=0
  say "$1"
  "${@:2}" || status=$?
  [[ $status == 0 ]] || failed+=("$1")
  took+=("$1 $(minutes $((SECONDS - began)))")
  return "$status"
}

# build PRESET TARGET OPTION...: folder and options are those of CMakePresets.json, which needs a
# newer CMake than Ubuntu 22.04 has.
build() {
  local status=0
  cmake -S . -B "build/$1" -G Ninja -DRAILGAUGE_WARNINGS_AS_ERRORS=ON -DRAILGAUGE_BUILD_TESTS=ON "${@:3}" \
    >/dev/null && CCACHE_STATSLOG=$compiled cmake --build "build/$1" --target "$2" || status=$?
  keep_cost_of_build "$1"
  return "$status"
}

# Of what ninja made since this began: milliseconds when it began and ended, time of the file, file.
keep_cost_of_build() {
  [[ -e build/$1/.ninja_log ]] || return 0
  awk -v build="$1" -v began="$began" \
    '!/^#/ && $3 > began * 1e9 { printf "%.1f %s build: %s\n", ($2 - $1) / 1000, build, $4 }' \
    "build/$1/.ninja_log" >>"$costs"
}

keep_cost_of_tests() {
  [[ -e build/$1/tests.xml ]] || return 0
  sed -nE "s/.*<testcase name=\"([^\"]*)\".* time=\"([0-9.]+)\".*/\2 $1 tests: \1/p" "build/$1/tests.xml" >>"$costs"
}

# Newer kernels place memory at random where GCC's thread sanitizer cannot follow. Containers may
# forbid to ask them not to.
without_random_addresses() {
  if setarch --addr-no-randomize true 2>/dev/null; then
    setarch --addr-no-randomize "$@"
  else
    "$@"
  fi
}

# run_tests PRESET CTEST-OPTION...
run_tests() {
  local status=0 line runner=(ci/run_ctest)
  [[ $1 == release ]] || runner=(without_random_addresses ci/run_ctest)
  show_summary   # of the tests before
  summary=build/$1/summary.txt
  rm -f "$summary" "build/$1/failed.txt" "build/$1/tests.xml"
  "${runner[@]}" --keep-summary "build/$1" "${@:2}" || status=$?
  keep_cost_of_tests "$1"
  if [[ -e build/$1/failed.txt ]]; then
    while read -r line; do failed_tests+=("$1: $line"); done <"build/$1/failed.txt"
  fi
  return "$status"
}

show_summary() { [[ ! -e $summary ]] || cat "$summary"; }

begin() {
  ci/setup --tests
  rm -f "$compiled" "$costs"
  took+=("setup $(minutes "$SECONDS")")
}

# The files and tests that took longest, of all parts.
show_slowest() {
  local seconds what
  [[ -e $costs ]] || return 0
  while read -r seconds what; do
    say "  slowest: $what ${seconds%.*} s"
  done < <(sort -rn "$costs" | head -n 8)
}

# finish [REMARK]: how long each part took, what cost most, ctest's last summary, and what failed.
finish() {
  local line
  printf '\n'
  for line in "${took[@]}"; do say "  $line"; done
  show_slowest
  say "$(minutes "$SECONDS") in all${1:+; $1}"
  if [[ -e $compiled ]]; then
    say "ccache knew $(grep -c _cache_hit "$compiled") of $(grep -c '^#' "$compiled") files that were to be compiled"
  fi
  show_summary
  ((${#failed[@]} > 0)) || return 0
  for line in "${failed_tests[@]}"; do say "FAILED: $line" >&2; done
  say "FAILED: $(IFS=, && echo "${failed[*]}")" >&2
  exit 1
}

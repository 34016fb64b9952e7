# Shared by ci/test and ci/nightly: source it. A part that fails does not keep the next from running.
# shellcheck shell=bash

failed=()   # parts
took=()     # "part: 3 min 20 s", in the order in which they ran
last_build=
export CCACHE_STATSLOG=$PWD/build/ccache.log

say() { echo "ci/$(basename "$0"): $*"; }

minutes() { printf '%d min %02d s' $(($1 / 60)) $(($1 % 60)); }

# part NAME COMMAND...
part() {
  local began=$SECONDS status=0
  say "$1"
  "${@:2}" || status=$?
  [[ $status == 0 ]] || failed+=("$1")
  took+=("$1: $(minutes $((SECONDS - began)))")
  return "$status"
}

# build PRESET TARGET OPTION...: folder and options are those of CMakePresets.json, which needs a
# newer CMake than Ubuntu 22.04 has.
build() {
  cmake -S . -B "build/$1" -G Ninja -DRAILGAUGE_WARNINGS_AS_ERRORS=ON "${@:3}" >/dev/null &&
    cmake --build "build/$1" --target "$2"
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
  last_build=build/$1
  rm -f "$last_build/failed.txt"
  without_random_addresses ci/run_ctest "$last_build" "${@:2}"
}

# How perftest, ping-pongs, UCX and Open MPI are run on soft devices, and what they must say: source it behind
# common.sh. Between which hosts, that says.
# shellcheck shell=bash

# perftest_ends_well TOOL...: perftest can print that something failed, and still exit with 0.
perftest_ends_well() {
  pair "$@" -d soft0 -F || return
  ! grep -iE "fail|couldn't|problem|completion with error|unable" "$scratch/server" "$scratch/client"
}

# each WHAT TOOLS ARGUMENT...
each() {
  local tool what=$1
  shift
  for tool in $1; do check "$tool $what" perftest_ends_well "$tool" "${@:2}"; done
}

# Around the ends of packets, and more than a window of them.
sizes_of() { echo 1 $(($1 - 1)) "$1" $(($1 + 1)) $(($1 * 2)) $(($1 * 3 + 1)) $(($1 * 300 + 5)); }

# all_sizes MTU PINGPONG...
all_sizes() {
  local size
  for size in $(sizes_of "$1"); do
    pair "${@:2}" -m "$1" -s "$size" || return
  done
}

# ucp_ends_well SETTINGS TEST SIZE ITERATIONS: the last line is the result, and nothing was logged.
ucp_ends_well() {
  pair env UCX_TLS="$1" ucx_perftest -f -t "$2" -s "$3" -n "$4" -w 10 || return
  ! grep -E "ERROR|WARN|Assertion" "$scratch/server" "$scratch/client" || return
  grep -E "^ +$4 " "$scratch/client" > /dev/null || { cat "$scratch/client"; return 1; }
}

# Below UCX's protocols.
uct_ends_well() { pair ucx_perftest -d soft0:1 -x rc_verbs -n 100 -w 10 "$@"; }

# Options of mpirun: where ranks are.
placement=(--oversubscribe)

# mpi_is_right RANKS TRANSPORTS PROGRAM. Every rank must have had packets: Open MPI falls back to TCP without a word.
mpi_is_right() {
  SOFTROCE_COUNTERS=1 timeout --kill-after 5 "$limit" mpirun "${placement[@]}" -np "$1" --mca pml ucx \
    --mca btl self --mca osc ^ucx --mca coll ^hcoll -x UCX_TLS="$2" -x LD_PRELOAD="$library" "$3" \
    > "$scratch/output" 2>&1 &&
    [ "$(grep -cE "soft0 .*rcvd_pkts=[0-9]{3,}" "$scratch/output")" = "$1" ] && return
  cat "$scratch/output"
  return 1
}

# Open MPI that can use UCX; else sets reason.
lacks_open_mpi() {
  ! lacks openmpi-bin mpirun ompi_info || return 0
  reason="this Open MPI has no UCX"
  ! ompi_info | grep "MCA pml: ucx" > /dev/null
}

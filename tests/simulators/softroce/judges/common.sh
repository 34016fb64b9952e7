# Shared by the judges: source it. A judge runs programs that nobody here wrote on the soft device, on one
# host; tests/fabric/inside_judges has what programs.sh runs between two.
# usage of a judge: JUDGE LIBSOFTROCE [...]; exit status 77: it cannot run here, its last line says why
# shellcheck shell=bash

library=$(realpath "$1")
failures=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Those of a fabric's host say which addresses it has.
[ -n "${SOFTFABRIC:-}" ] || for variable in "${!SOFTROCE_@}"; do unset "$variable"; done
# Below the ports that the kernel gives away itself, and not the same for judges that run side by side.
port=$((20000 + RANDOM % 10000))
# How long one program may take. All need a hundredth of it on an idle machine.
limit=60
# What stands in front of every program: another user, for example.
wrapper=()

# check WHAT COMMAND...: the command must succeed; what it says is shown only if it does not.
check() {
  local what=$1
  shift
  if "$@" > "$scratch/said" 2>&1; then
    echo "ok: $what"
  else
    echo "FAILED: $what"
    cat "$scratch/said"
    failures=$((failures + 1))
  fi
}

finish() {
  echo "$failures checks failed"
  [ "$failures" = 0 ]
  exit
}

skip() {
  echo "skipped: $1"
  exit 77
}

# lacks PACKAGE PROGRAM...: whether one is missing, and sets reason.
lacks() {
  local package=$1 program
  shift
  for program in "$@"; do
    type -P "$program" > /dev/null || { reason="there is no $program (package $package)"; return 0; }
  done
  return 1
}

# needs PACKAGE PROGRAM...
needs() { ! lacks "$@" || skip "$reason"; }

# within SECONDS COMMAND...: the command must come to succeed.
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.02
  done
}

# soft COMMAND...: on soft devices, killed when it takes longer than it may.
soft() {
  timeout --kill-after 5 "$limit" "${wrapper[@]}" env LD_PRELOAD="$library" "$@"
}

# The host of a pair's server: what it is called, and what runs a program or only looks there. Who has two hosts
# gives these another meaning.
server_name=127.0.0.1
on_server() { soft "$@"; }
look_at_server() { "$@"; }

listens() {
  look_at_server grep -qE "^ *[0-9]+: [0-9A-F]+:$(printf %04X "$1") 0+:0000 0A" /proc/net/tcp /proc/net/tcp6
}

# pair COMMAND...: a server, and when it listens its client, as verbs examples and perftest have
# it. Sets server_status and client_status, and succeeds when both did.
pair() {
  port=$((port + 1))
  on_server "$@" -p "$port" > "$scratch/server" 2>&1 &
  local server=$!
  server_status=0 client_status=0
  within 10 listens_or_ended "$server"
  soft "$@" -p "$port" "$server_name" > "$scratch/client" 2>&1 || client_status=$?
  wait "$server" || server_status=$?
  echo "$*: server $server_status, client $client_status"
  [ "$server_status" = 0 ] && [ "$client_status" = 0 ] && return
  grep -v " address:" "$scratch/server" "$scratch/client" | tail -n 30
  return 1
}

listens_or_ended() { listens "$port" || ! kill -0 "$1" 2> /dev/null; }

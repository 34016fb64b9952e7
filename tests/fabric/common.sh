# Shared by the tests of launchers/fabric: source it with the folder of the programs. A test that
# cannot run here ends with 77, and its last line says why. What they run inside sources it without.
# shellcheck shell=bash
# shellcheck source=tests/lab/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lab/common.sh"

fabric=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../launchers/fabric")
programs=$(realpath "${1:-.}")
export PATH=$programs:$PATH

# start_fabric OPTION... -- COMMAND...
start_fabric() { "$fabric" --programs "$programs" "$@"; }

skip_without_namespaces() {
    local reason
    if ! reason=$(start_fabric --switch kernel --hosts 1 --rails 1 --spines 1 --rate 200Mbit -- true 2>&1); then
        echo "skipped: $reason"
        exit 77
    fi
}

# Nothing of the fabric whose process was $1: no process that names its folder, no folder.
fabric_is_gone() {
    local left
    left=$(pgrep -af "railgauge-fabric\.$1\." || true)
    [ -z "$left" ] || { echo "$left"; return 1; }
    ! compgen -G "${TMPDIR:-/tmp}/railgauge-fabric.$1.*"
}

# repeated WHAT COMMAND...: a check, as often as DOCTOR_TIMES says (1). How often the machine was too busy for a verdict, which
# no check minds, is shown.
repeated() {
    local what=$1 times=${DOCTOR_TIMES:-1} unsure=0 before=${#failed[@]} i
    for ((i = 1; i <= times; ++i)); do
        check "$@"
        ! grep -qE 'outcome INCONCLUSIVE|too busy' "$scratch/check" || ((++unsure))
    done
    ((times == 1)) || echo "$what: $((times - ${#failed[@]} + before)) of $times right, of which $unsure without a verdict"
}

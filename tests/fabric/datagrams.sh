# Datagrams between hosts of a fabric: source it in COMMAND.
# shellcheck shell=bash

on() { "$RAILGAUGE_RSH" "$@"; }

echo=$scratch/echo.py
cat > "$echo" << 'PYTHON'
import socket, sys
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.bind((sys.argv[2], 5000 if sys.argv[1] == "answer" else 0))
if sys.argv[1] == "answer":
    print("answers", flush=True)
    while True:
        data, peer = udp.recvfrom(9000)
        udp.sendto(data, peer)
udp.settimeout(0.2)
for _ in range(int(sys.argv[4])):
    udp.sendto(b"x" * 4000, (sys.argv[3], 5000))
    try:
        sys.exit(len(udp.recvfrom(9000)[0]) != 4000)
    except TimeoutError:
        pass
sys.exit(f"no answer from {sys.argv[3]}")
PYTHON

# tried TIMES HOST FROM TO: a datagram from an address of this host comes back from an address of HOST.
tried() {
    local status=0 answerer line
    exec {answerer}< <(on "$2" "echo \$\$; exec python3 $echo answer $4")
    read -r -u "$answerer" pid
    read -r -u "$answerer" line
    [ "$line" = answers ] && python3 "$echo" ask "$3" "$4" "$1" || status=$?
    kill "$pid"
    exec {answerer}<&-
    return "$status"
}
reaches() { tried 100 "$@"; }
reaches_at_once() { tried 3 "$@" 2> /dev/null; }

#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>

#include "transport/exchange.hpp"
#include "transport/memory.hpp"

namespace railgauge::transport {

// Sockets between ranks of one host. They hand over memory without the right to look into the
// other process (which ptrace_scope or a hidden /proc may deny), and they report its end, whatever
// the cause. The kernel chooses their names outside the file system, so there is nothing to clean
// up.

/// The kernel's name for a listening socket (unix(7), autobind): a zero and five digits, valid
/// within a network namespace.
using LocalAddress = std::array<char, 6>;

struct LocalListener {
  FileHandle socket;
  LocalAddress address;
};
/// Throws std::system_error, as do all below.
LocalListener listen_locally();

/// Does not wait for the other side to accept. Throws std::runtime_error naming `peer` if it is not
/// there.
FileHandle connect_locally(const LocalAddress& address, Rank peer);

/// Who has connected. Processes of other users are turned away.
struct LocalCaller {
  FileHandle socket;
  pid_t process;
};
/// The next process that has connected already. Throws if there is none.
LocalCaller accept_locally(const LocalListener& listener);

/// Passes an open file to the other side, with a word about it.
void send_file(const FileHandle& socket, const FileHandle& file, std::uint32_t word);

struct ReceivedFile {
  FileHandle file;
  std::uint32_t word;
};
/// What the other side has sent already. Throws if there is nothing.
ReceivedFile receive_file(const FileHandle& socket);

}  // namespace railgauge::transport

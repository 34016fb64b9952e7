#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>

#include "transport/exchange.hpp"
#include "transport/file_handle.hpp"

namespace railgauge::transport {

// Sockets between ranks of one host. They hand over memory, which needs no right to look into the
// other process (ptrace_scope, or a /proc that is hidden), and they tell of the other's end,
// however it came. Their names are the kernel's, not the file system's: nothing is left to clean
// up.

/// The kernel's name for a socket that waits for others (unix(7), autobind): a zero and five
/// digits, valid within a network namespace.
using LocalAddress = std::array<char, 6>;

struct LocalListener {
  FileHandle socket;
  LocalAddress address;
};
/// Throws std::system_error, as all below.
LocalListener listen_locally();

/// Does not wait for the other side to accept. Throws std::runtime_error that names `peer` when it
/// is not there.
FileHandle connect_locally(const LocalAddress& address, Rank peer);

/// Who has connected; of another user nobody is let in.
struct LocalCaller {
  FileHandle socket;
  pid_t process;
};
/// The next that has connected already. Throws std::runtime_error if there is none.
LocalCaller accept_locally(const LocalListener& listener);

/// Hands an open file to the other side, with a word about it.
void send_file(const FileHandle& socket, const FileHandle& file, std::uint32_t word);

struct ReceivedFile {
  FileHandle file;
  std::uint32_t word;
};
/// What the other side has sent already. Throws std::runtime_error if it is nothing.
ReceivedFile receive_file(const FileHandle& socket);

}  // namespace railgauge::transport

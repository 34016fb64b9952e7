#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "results/document_codec.hpp"
#include "results/input_file.hpp"
#include "soak/record.hpp"

namespace railgauge::soak {
namespace {

using results::FileDescriptor;
using results::Json;

std::string state_path(const std::string& record) {
  return record + ".state";
}

/// Blanks behind it, up to a whole number of blocks with some to spare: what is written later takes
/// no more of the disk.
std::string padded(std::string text) {
  constexpr std::size_t kBlock = 16384;
  text.resize((text.size() + kBlock / 2) / kBlock * kBlock + kBlock - 1, ' ');
  return text + '\n';
}

bool write_over(const FileDescriptor& file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t taken =
        ::pwrite(file.number(), text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (taken < 0 && errno == EINTR) continue;
    if (taken <= 0) return false;
    done += static_cast<std::size_t>(taken);
  }
  return ::ftruncate(file.number(), static_cast<off_t>(text.size())) == 0 &&
         ::fdatasync(file.number()) == 0;
}

/// The two files change names, so that the blocks of the older one are there for the next state.
bool exchange(const std::string& next, const std::string& path) {
  if (::renameat2(AT_FDCWD, next.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0)
    return true;
  return ::rename(next.c_str(), path.c_str()) == 0;  // the first one, or a file system without
}

}  // namespace

bool write_state(const std::string& record_path, const State& state) {
  constexpr mode_t kReadableByAll = 0666;  // less what the user's umask forbids
  const std::string path = state_path(record_path);
  const std::string next = path + ".next";
  const FileDescriptor file(::open(next.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, kReadableByAll));
  const std::string text =
      results::encode(state).dump(-1, ' ', false, Json::error_handler_t::replace);
  return file.number() >= 0 && write_over(file, padded(text)) && exchange(next, path);
}

std::optional<State> read_state(const std::string& record_path) {
  std::optional<State> state;
  try {
    State found;
    results::decode(Json::parse(results::read_input(state_path(record_path))), found);
    state = std::move(found);
  } catch (const std::exception&) {  // none, or none of ours
    state.reset();
  }
  return state;
}

}  // namespace railgauge::soak

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include "soak/parts.hpp"
#include "soak/record.hpp"

namespace railgauge::soak {
namespace {

namespace fs = std::filesystem;
using results::FileDescriptor;
using Existing = results::Writer::Existing;

[[noreturn]] void fail_to_write(int error, const std::string& path, const std::string& why) {
  throw std::system_error(error, std::generic_category(),
                          "cannot write the record '" + path + "': " + why);
}

FileDescriptor open_for_appending(const std::string& path, int how) {
  constexpr mode_t kReadableByAll = 0666;  // less what the user's umask forbids
  return FileDescriptor(
      ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | how, kReadableByAll));
}

/// Two runs in one record would number their windows alike. A file system without locks has none.
void lock(const FileDescriptor& file, const std::string& path) {
  if (::flock(file.number(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  fail_to_write(EBUSY, path, "another run is writing it; end that one first");
}

bool is_record_there(const std::string& path) {
  return fs::exists(fs::symlink_status(path)) || !parts_of(path).empty();
}

void remove_parts(const std::string& path) {
  for (const Part& part : parts_of(path)) fs::remove(part.path);
  fs::remove(path + ".state");
  fs::remove(path + ".state.next");
}

FileDescriptor begun(const std::string& path, Existing existing) try {
  if (existing == Existing::refuse && is_record_there(path)) {
    fail_to_write(EEXIST, path,
                  "no record is overwritten unless forced (--force); --resume goes on with it, or "
                  "name another one (--record)");
  }
  FileDescriptor file = open_for_appending(path, O_CREAT);
  if (file.number() < 0) fail_to_write(errno, path, "is its directory there?");
  lock(file, path);
  remove_parts(path);
  if (::ftruncate(file.number(), 0) != 0) fail_to_write(errno, path, "it is no ordinary file");
  return file;
} catch (const fs::filesystem_error& error) {
  fail_to_write(error.code().value(), path, "is its directory there?");
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool can_be_read(const std::string& line) {
  try {
    (void)from_text(line);
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

/// As long as its whole lines are: a killed writer, or a host that went down, may have left less
/// than a line behind them.
std::size_t whole_lines(const std::string& text) {
  const std::size_t end = text.rfind('\n');
  if (end == std::string::npos) return 0;
  const std::size_t before = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return can_be_read(text.substr(begin, end - begin)) ? end + 1 : begin;
}

/// Of a run that was killed while it packed one.
void finish_packing(const std::string& path) {
  for (const Part& part : parts_of(path)) {
    if (part.path.extension() != ".gz") (void)pack(part.path);
  }
}

FileDescriptor gone_on(const std::string& path) {
  const int how = parts_of(path).empty() ? 0 : O_CREAT;  // killed between two of its files
  FileDescriptor file = open_for_appending(path, how);
  if (file.number() < 0) fail_to_write(errno, path, "--resume goes on with a record that is there");
  lock(file, path);
  return file;
}

std::size_t repaired(const FileDescriptor& file, const std::string& path) {
  const std::size_t size = whole_lines(content_of(path));
  if (::ftruncate(file.number(), static_cast<off_t>(size)) == 0) return size;
  fail_to_write(errno, path, "its torn last line cannot be cut off");
}

/// All or nothing: what a full disk has taken of a line is taken back.
bool append(const FileDescriptor& file, std::size_t size, const std::string& text) {
  ssize_t taken = -1;
  do {
    taken = ::write(file.number(), text.data(), text.size());
  } while (taken < 0 && errno == EINTR);
  if (taken == static_cast<ssize_t>(text.size())) return true;
  const int reason = taken < 0 ? errno : ENOSPC;
  (void)!::ftruncate(file.number(), static_cast<off_t>(size));
  errno = reason;
  return false;
}

}  // namespace

RecordWriter::RecordWriter(const std::string& path, const Header& header, Existing existing,
                           std::size_t most_bytes)
    : path_(path), most_bytes_(most_bytes), file_(begun(path, existing)) {
  add(header);
  if (!stopped_.empty()) throw std::runtime_error(stopped_);
}

RecordWriter::RecordWriter(const std::string& path, std::size_t most_bytes)
    : path_(path), most_bytes_(most_bytes), file_(gone_on(path)), size_(repaired(file_, path)) {
  finish_packing(path);
}

void RecordWriter::add(const Line& line) {
  if (is_full_) rotate();
  if (!stopped_.empty()) return;
  const std::string text = to_text(line) + "\n";
  if (!append(file_, size_, text)) {
    stop(std::generic_category().message(errno));
    return;
  }
  size_ += text.size();
}

void RecordWriter::sync(State state) {
  if (stopped_.empty() && ::fdatasync(file_.number()) != 0) {
    stop(std::generic_category().message(errno));
  }
  is_full_ = stopped_.empty() && size_ > most_bytes_;
  state.samples_stopped = stopped_;
  (void)write_state(path_, state);
}

/// A reader finds all of it at every moment: as FILE, as FILE.N or as FILE.N.gz.
void RecordWriter::rotate() try {
  is_full_ = false;
  const auto parts = parts_of(path_);
  const std::string part =
      path_ + "." + std::to_string(parts.empty() ? 1 : parts.back().number + 1);
  fs::rename(path_, part);
  FileDescriptor next = open_for_appending(path_, O_CREAT | O_EXCL);
  if (next.number() < 0) {
    const int reason = errno;
    fs::rename(part, path_);
    stop(std::generic_category().message(reason));
    return;
  }
  lock(next, path_);
  file_ = std::move(next);
  size_ = 0;
  (void)pack(part);  // else it stays as it is
} catch (const std::system_error& error) {
  stop(error.code().message());
}

void RecordWriter::stop(const std::string& why) {
  stopped_ = "cannot write the record '" + path_ + "': " + why +
             "; no more samples are written; the outcome is kept in memory";
}

}  // namespace railgauge::soak

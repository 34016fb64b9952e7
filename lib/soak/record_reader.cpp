#include <fcntl.h>
#include <sys/stat.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "soak/parts.hpp"
#include "soak/record.hpp"

namespace railgauge::soak {
namespace {

namespace fs = std::filesystem;
using results::FileDescriptor;

[[noreturn]] void fail(const fs::path& path, const std::string& why) {
  throw std::runtime_error("cannot read " + path.string() + ": " + why);
}

FileDescriptor opened(const fs::path& path) {
  return FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

/// Its writer may have packed it since it was found.
FileDescriptor opened_part(const fs::path& path) {
  FileDescriptor file = opened(path);
  if (file.number() < 0 && errno == ENOENT) file = opened(path.string() + ".gz");
  if (file.number() < 0) fail(path, std::generic_category().message(errno));
  return file;
}

/// The lines of a file, packed or not; zlib sees by itself which.
class LineReader {
 public:
  explicit LineReader(const fs::path& path, const FileDescriptor& file)
      : path_(path), file_(gzdopen(::dup(file.number()), "rb"), gzclose) {
    if (!file_) fail(path, "no memory");
  }

  /// False at the end. `whole`: whether a line feed ended it.
  bool next(std::string& line, bool& whole) {
    line.clear();
    std::array<char, 1U << 15U> block{};
    while (gzgets(file_.get(), block.data(), block.size()) != nullptr) {
      line += block.data();
      whole = line.ends_with('\n');
      if (!whole) continue;
      line.pop_back();
      ++number_;
      return true;
    }
    check();
    whole = false;
    ++number_;
    return !line.empty();
  }

  [[nodiscard]] std::string place() const {
    return path_.string() + " line " + std::to_string(number_);
  }

 private:
  void check() {
    int code = Z_OK;
    const char* const text = gzerror(file_.get(), &code);
    if (code != Z_OK && code != Z_STREAM_END) fail(path_, text);
  }

  fs::path path_;
  std::unique_ptr<gzFile_s, int (*)(gzFile)> file_;
  std::size_t number_ = 0;
};

/// What is read of a record, over all of its parts.
class Reading {
 public:
  explicit Reading(const std::function<void(Line)>& take) : take_(take) {}

  /// `last`: of FILE itself, whose writer may have been killed.
  void read(const fs::path& path, const FileDescriptor& file, bool last) {
    LineReader lines(path, file);
    std::string text;
    bool whole = true;
    while (lines.next(text, whole)) {
      settle();
      take(lines.place(), text, whole);
    }
    if (last) {
      drop();
    } else {
      settle();
    }
  }

  std::vector<std::string> remarks{};

 private:
  /// A line that cannot be read is an error as soon as there is another behind it.
  void take(const std::string& place, const std::string& text, bool whole) {
    try {
      if (!whole) throw std::runtime_error("it has no end");
      Line line = from_text(text);
      if (first_ != std::holds_alternative<Header>(line)) {
        throw std::runtime_error(first_ ? "the first line is no header" : "a second header");
      }
      first_ = false;
      take_(std::move(line));
    } catch (const std::runtime_error& error) {
      torn_ = place + ": " + error.what();
    }
  }
  void settle() const {
    if (!torn_.empty()) throw std::runtime_error(torn_);
  }
  void drop() {
    if (torn_.empty()) return;
    if (first_) settle();
    remarks.push_back(torn_ + ": the last line is torn and left out: its writer was killed");
  }

  const std::function<void(Line)>& take_;
  bool first_ = true;
  std::string torn_;
};

bool is_still(const fs::path& path, const FileDescriptor& file) {
  struct stat held {};
  struct stat named {};
  return ::fstat(file.number(), &held) == 0 && ::stat(path.c_str(), &named) == 0 &&
         held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

/// FILE, opened, and its parts, from one moment.
struct Opened {
  FileDescriptor file{-1};
  std::vector<Part> parts{};
};

Opened open_record(const fs::path& path) {
  constexpr int kTries = 10;
  Opened found;
  for (int i = 0; i < kTries; ++i) {
    found.file = opened(path);
    const int reason = errno;
    try {
      found.parts = parts_of(path);
    } catch (const fs::filesystem_error& error) {
      fail(path, error.code().message());
    }
    if (found.file.number() < 0) {  // just now being packed, or gone
      if (found.parts.empty()) fail(path, std::generic_category().message(reason));
      continue;
    }
    if (is_still(path, found.file)) return found;
  }
  return found;
}

void remark_missing(const fs::path& path, const std::vector<Part>& parts, Reading& reading) {
  std::size_t next = 1;
  for (const Part& part : parts) {
    for (; next < part.number; ++next) {
      reading.remarks.push_back(path.string() + "." + std::to_string(next) +
                                ".gz is missing: its windows are not known");
    }
    ++next;
  }
}

/// Puts lines in their places.
class Collector {
 public:
  explicit Collector(Record& record) : record_(record) {}
  void operator()(Header header) { record_.header = std::move(header); }
  void operator()(Window window) {
    record_.end.reset();
    record_.windows.push_back(std::move(window));
  }
  void operator()(finding::Finding finding) { record_.findings.push_back(std::move(finding)); }
  void operator()(Gap gap) {
    record_.end.reset();
    record_.gaps.push_back(std::move(gap));
  }
  void operator()(End end) { record_.end = std::move(end); }

 private:
  Record& record_;
};

}  // namespace

std::vector<std::string> read_record(const std::string& path,
                                     const std::function<void(Line)>& take) {
  const Opened record = open_record(path);
  Reading reading(take);
  remark_missing(path, record.parts, reading);
  for (const Part& part : record.parts) {
    const FileDescriptor file = opened_part(part.path);
    reading.read(part.path, file, record.file.number() < 0 && &part == &record.parts.back());
  }
  if (record.file.number() >= 0) reading.read(path, record.file, true);
  return std::move(reading.remarks);
}

Record read_record(const std::string& path) {
  Record record;
  Collector collect(record);
  record.remarks = read_record(path, [&](Line line) { std::visit(collect, std::move(line)); });
  return record;
}

}  // namespace railgauge::soak

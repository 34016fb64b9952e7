#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "finding/outcome.hpp"
#include "json/members.hpp"
#include "results/document.hpp"
#include "results/line_file.hpp"
#include "soak/header.hpp"
#include "soak/window.hpp"

namespace railgauge::soak {

// The record of a soak, railgauge/soak/2: JSON Lines, appended to while it runs. First a header;
// then windows in the order of their numbers, findings, gaps; at the end the outcome. Each line has
// "schema" and "line", which is "header", "window", "finding", "gap" or "end".
// results-schema/railgauge-soak-2.schema.json describes each.
//
// A file of 8 MB is closed and packed before the next line: FILE starts again with that, and what
// it held is FILE.1.gz, then FILE.2.gz, ...: the lowest number is the oldest. FILE.state has what a
// run needs to go on: it is replaced as a whole after every window.

/// How a run ended. A record that was resumed after it has windows behind it, and maybe another.
struct End {
  std::chrono::system_clock::time_point when{};
  bool complete = false;  // the whole duration; else it was interrupted or failed
  std::string why{};      // if it is not complete, in a sentence
  finding::Outcome outcome = finding::Outcome::inconclusive;
  std::string reason{};  // why it is not PASS, in short (finding::in_short())

  RAILGAUGE_FIELDS((when), complete, why, outcome, reason)
};

using Line = std::variant<Header, Window, finding::Finding, Gap, End>;

/// A line without its line feed, and back. from_text() throws std::runtime_error, which says what
/// is wrong with it.
[[nodiscard]] std::string to_text(const Line& line);
[[nodiscard]] Line from_text(const std::string& text);

/// Whether there is a record to read or to go on with. Between two of its files FILE is empty, or
/// is not there: its parts count, too.
[[nodiscard]] bool is_record(const std::string& path);

/// Reads a record line by line, all of its parts in order, and gives each to `take`; memory does
/// not grow with it. May be called while it is being written. Returns remarks, one sentence each:
/// a last line that is torn (its writer was killed) is left out and said, and so is a part that is
/// missing. Throws std::runtime_error, which names file and line, if it is no record, or a line
/// that is not the last cannot be read.
std::vector<std::string> read_record(const std::string& path,
                                     const std::function<void(Line)>& take);

/// All of a record at once: of a day some tens of MB.
struct Record {
  Header header{};
  std::vector<Window> windows{};
  std::vector<finding::Finding> findings{};  // of each window
  std::vector<Gap> gaps{};
  std::optional<End> end{};  // the last; empty if windows follow it: it runs, or was killed
  std::vector<std::string> remarks{};
};
[[nodiscard]] Record read_record(const std::string& path);

/// What a run needs to go on with a soak, and what is kept when the disk is full.
struct State {
  std::string run{};              // the header's
  std::uint64_t last_window = 0;  // number; 0: none is over
  std::chrono::system_clock::time_point written{};
  std::vector<results::PortCounters> ports{};  // `after`: at the end of the last window
  finding::Outcome outcome = finding::Outcome::inconclusive;
  std::string reason{};           // why it is not PASS, in short
  std::string samples_stopped{};  // since when, and why, nothing was added; empty: all is there

  RAILGAUGE_FIELDS((run), (last_window), written, ports, outcome, reason, samples_stopped)
};

/// The state of a record; empty if there is none, or none that can be read.
[[nodiscard]] std::optional<State> read_state(const std::string& record_path);
/// Replaces it as a whole (rename) and syncs it. False, with the reason in errno, if that fails. On
/// a disk that has become full since the second call it does not: the file before is written over.
bool write_state(const std::string& record_path, const State& state);

/// Writes a record. One thread; one writer a record: a second is refused.
class RecordWriter {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{8} << 20U;  // of FILE before it is packed

  /// Begins a record with its header. Throws std::system_error, which names the path and the
  /// reason, if it cannot be made, or if one is there that must not be replaced.
  RecordWriter(const std::string& path, const Header& header, results::Writer::Existing existing,
               std::size_t most_bytes = kMostBytes);
  /// Goes on with a record: cuts off a torn last line. Throws likewise if there is none, if it
  /// cannot be written, or if another process writes it.
  explicit RecordWriter(const std::string& path, std::size_t most_bytes = kMostBytes);

  /// Appends a line by one write(2), after packing a file that had grown long at the last sync().
  /// Once the disk is full, or writing fails otherwise, nothing more is appended, and stopped()
  /// says why: it does not throw.
  void add(const Line& line);
  /// Syncs what was added (fdatasync) and replaces the state, which learns why samples have
  /// stopped. After every window. Does not throw either.
  void sync(State state);

  /// Why nothing is appended any more, in a sentence for stderr; empty as long as all is well.
  [[nodiscard]] const std::string& stopped() const { return stopped_; }

 private:
  void rotate();
  void stop(const std::string& why);

  std::string path_;
  std::size_t most_bytes_;
  results::FileDescriptor file_;
  std::size_t size_ = 0;  // of the file; all of it whole lines
  bool is_full_ = false;  // and synced
  std::string stopped_;
};

}  // namespace railgauge::soak

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verdict/logs/log.hpp"

namespace railgauge::verdict {

// Tables under a head of columns, as most benchmarks print them. A format says what the lines
// around its tables mean; names of columns, rows and what is wrong with them are read here.

enum class Column : std::uint8_t {
  other,
  size,
  count,  // of elements
  repetitions,
  least,  // of times: these five have to come in this order
  typical,
  mean,
  upper,
  most,
  algbw,
  busbw,
  messages,   // in millions a second
  megabytes,  // IMB's Mbytes/sec, of one direction or both
  wrong,
  check,
  type
};

struct HeadColumn {
  Column column = Column::other;
  double scale = 1;  // to microseconds or GB/s
  std::string_view format{};
};

using TableHead = std::vector<HeadColumn>;

/// The columns of a head, by the names that the formats print; empty if the line is no head.
TableHead table_head(std::string_view line);

bool has_column(const TableHead& head, Column column);

/// A row, or why it is not believed. Bandwidths are as printed, in GB/s.
struct TableRow {
  Point point{};
  std::optional<std::uint64_t> count{};
  std::optional<Decimal> algbw{};
  std::optional<Decimal> busbw{};
  std::string why_not{};
  bool wrong_data = false;
};

/// A row is believed with all its words only, each in the form of its column: figures have decimals
/// unless others of the row confirm them, sizes are whole, times in order, and bandwidth is size
/// over time or times messages. `short_of`: columns that may be missing at the end. Wrong elements,
/// and a time, bandwidth or rate that is_impossible(), are wrong data.
TableRow table_row(const TableHead& head, const std::vector<std::string_view>& words,
                   std::size_t short_of = 0);

/// What the sizes of a table count, next to nccl-tests.
enum class Sizes : std::uint8_t {
  whole,
  one_rank,  // `ranks` times less
  unknown    // a bus bandwidth tells, if the ranks are known
};

/// Whether the MPI benchmarks count one rank's part of a collective.
Sizes sizes_of_mpi(const std::string& collective);

/// Reads a text line by line: the base of the formats.
class TableReader {
 public:
  explicit TableReader(const Stated& stated) : stated_(stated) {}
  virtual ~TableReader() = default;
  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;

  LogContent read(std::string_view text);

 protected:
  /// Takes a line that says something of the table that follows. Whether it was one.
  virtual bool statement(std::string_view line) = 0;

  /// Why the figures of a head do not belong to the table that was begun. Empty: they do.
  [[nodiscard]] virtual std::string why_other_head() const { return ""; }

  /// What of a row is the format's own: its size, its bandwidths. Empty, or why it has no point.
  virtual std::string complete(TableRow& row);

  /// A table of another test begins; its rows are left out if there is a reason.
  void begin(const Run& run, const std::string& why_not = "");
  void complain(const std::string& text) { gathered_.complain(line_, text); }
  void wrong_data(const std::string& why) { gathered_.end(Ended::wrong_data, line_, why); }

  [[nodiscard]] Run& run() { return gathered_.run(); }
  [[nodiscard]] const Run& run() const { return gathered_.run(); }
  [[nodiscard]] const TableHead& head() const { return head_; }

  const Stated& stated_;
  Sizes sizes_ = Sizes::whole;
  std::size_t short_of_ = 0;
  bool untitled_ = false;  // a head begins a table; its collective may stand above, or nowhere
  Point common_{};         // type, algorithm and placement of the points that follow

 private:
  void take(std::string_view text);
  void take_head(const TableHead& head);
  void take_row(const std::vector<std::string_view>& words);
  std::string why_not_read(const std::vector<std::string_view>& words);

  Gathering gathered_;
  std::size_t line_ = 0;
  TableHead head_{};
  std::string why_not_{};  // the rows that follow are left out
  std::vector<std::string> last_row_{};
};

/// For a format.
template <class Reader>
LogContent read_by(std::string_view text, const Stated& stated) {
  return Reader(stated).read(text);
}

}  // namespace railgauge::verdict

#pragma once

#include <ostream>
#include <utility>

#include "options/option_table.hpp"
#include "results/exit_code.hpp"

namespace railgauge::benchmarks {

/// A sub-command of `railgauge`: a table of options, whose manual has its whole name ("railgauge
/// schedule show"), and what is done with them.
class Command {
 public:
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;
  virtual ~Command() = default;

  [[nodiscard]] options::OptionTable& table() { return table_; }

  /// After the table has parsed. Remarks, which are no part of the output, go to `remarks`. Throws
  /// std::invalid_argument for what cannot be, std::runtime_error when a file cannot be read or
  /// written.
  [[nodiscard]] virtual results::ExitCode run(std::ostream& out, std::ostream& remarks) const = 0;

 protected:
  explicit Command(manual::Manual manual)
      : table_(std::move(manual), options::Sources::command_line) {}

  [[nodiscard]] const options::OptionTable& table() const { return table_; }

 private:
  options::OptionTable table_;
};

}  // namespace railgauge::benchmarks

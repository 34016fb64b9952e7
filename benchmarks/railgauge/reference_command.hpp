#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <ostream>
#include <string>

#include "verdict/library.hpp"
#include "verdict/reference_suggestions.hpp"

namespace railgauge::benchmarks {

/// `railgauge reference list`: published systems; `show`: one of them, with its caveats; `suggest`:
/// which resemble one's own. Adds its options to `app`, which has to outlive it.
class ReferenceCommand {
 public:
  explicit ReferenceCommand(CLI::App& app);

  /// Whether it is this command that was given.
  [[nodiscard]] bool parsed() const { return command_->parsed(); }

  /// After `app` has parsed. Throws std::invalid_argument for what cannot be, std::runtime_error
  /// when a file cannot be read.
  void run(std::ostream& out) const;

 private:
  [[nodiscard]] std::string listed(const verdict::Library& library) const;
  [[nodiscard]] std::string shown(const verdict::Library& library) const;
  void ask_of_result(verdict::Nics& nics, std::string& collective) const;
  [[nodiscard]] std::string suggestions(const verdict::Library& library) const;

  CLI::App* command_;
  CLI::App* list_;
  CLI::App* show_;
  CLI::App* suggest_;
  std::string name_;
  std::string result_;
  std::optional<int> nics_;
  std::optional<double> gigabits_;
  std::string transport_;
  std::string collective_;
  bool all_ = false;
};

}  // namespace railgauge::benchmarks

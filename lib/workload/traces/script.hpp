#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "schedule/collective.hpp"
#include "workload/workload.hpp"

namespace railgauge::workload::traces {

/// A class of ranks that does one thing after the other. What is repeated is written once.
class Script {
 public:
  void compute(double microseconds);
  /// `bytes` is a number, or an expression that has a `label`. What is combined is bfloat16.
  void collective(schedule::Collective type, const std::string& group, const std::string& bytes,
                  const std::string& label = "");
  /// Sends, or receives from, the rank that an expression says. Transfers that follow each other
  /// are under way together, and over before anything else. `direction` tells them apart: "next".
  void transfer(bool sends, const std::string& peer, const std::string& direction,
                std::uint64_t bytes);

  /// Of each group or transfer, how often which bytes: of one rank, and of what it sends.
  using Counted = std::map<std::string, std::map<std::string, std::uint64_t>>;
  [[nodiscard]] const Counted& counted() const { return counted_; }

  /// Throws std::invalid_argument if there is nothing in it.
  [[nodiscard]] std::vector<Stream> streams();

 private:
  void add(Operation operation);
  void flush();
  void settle();

  Counted counted_{};
  Stream main_{.name = "main"};
  std::vector<Stream> transfers_{};       // by direction
  std::vector<std::string> under_way_{};  // names of transfers
  double compute_us_ = 0;
  std::uint64_t written_us_ = 0;
};

/// Sum of what is counted, of so many ranks, each bytes in their own term.
[[nodiscard]] std::string sum_of(const std::map<std::string, std::uint64_t>& counted,
                                 const std::string& ranks);

}  // namespace railgauge::workload::traces

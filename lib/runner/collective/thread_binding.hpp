#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "topology/binding.hpp"
#include "topology/cpu_set.hpp"

namespace railgauge::runner {

/// Binds the progress threads of a rank, and remembers what could not be done: a run goes on
/// without it, slower.
class ThreadBinding {
 public:
  /// As topology::bind_thread(), which may throw.
  using Bind = std::function<std::string(const topology::CpuSet&)>;

  /// [thread] Where each belongs; no cpus: it stays where its rank is.
  explicit ThreadBinding(std::vector<topology::CpuSet> places, Bind bind = topology::bind_thread)
      : places_(std::move(places)), bind_(std::move(bind)), failures_(places_.size()) {}

  /// On the thread of that number, which others may do at the same time.
  void settle(unsigned thread) noexcept;
  /// The first of what failed, in a sentence; "" if nothing did. Once all threads have settled.
  [[nodiscard]] std::string failure() const;

 private:
  std::vector<topology::CpuSet> places_;
  Bind bind_;
  std::vector<std::string> failures_;  // [thread]
};

/// What failed on each rank, "" where nothing did, in one line however many they are; "" if nothing
/// failed at all.
[[nodiscard]] std::string unbound_threads(const std::vector<std::string>& of_ranks);

}  // namespace railgauge::runner

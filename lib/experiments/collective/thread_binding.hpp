#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/collective/collective_options.hpp"
#include "runner/session.hpp"
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

/// How many progress threads a rank has by default that drives so many rails and has so many cores
/// to itself: one a rail, or if there are not enough cores for all of them, one. On software
/// devices what the NIC would do needs a core, too.
[[nodiscard]] unsigned default_progress_threads(unsigned rails, std::size_t cores,
                                                bool on_software);

/// Collective: how many each rank has, all alike. `asked` is what the user wants, 0 for the
/// default; what comes of it is in the record as --progress-threads.
[[nodiscard]] unsigned settle_progress_threads(Session& session, unsigned asked,
                                               SameHost same_host);

}  // namespace railgauge::runner

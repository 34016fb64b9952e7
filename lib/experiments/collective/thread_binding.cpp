#include "experiments/collective/thread_binding.hpp"

#include <algorithm>
#include <exception>

namespace railgauge::runner {

void ThreadBinding::settle(unsigned thread) noexcept {
  if (places_[thread].empty()) return;
  try {
    failures_[thread] = bind_(places_[thread]);
  } catch (const std::exception& error) {  // hwloc cannot inspect this machine
    failures_[thread] = std::string("cannot bind a thread: ") + error.what();
  }
}

std::string ThreadBinding::failure() const {
  const auto failed = [](const std::string& one) { return !one.empty(); };
  const auto first = std::ranges::find_if(failures_, failed);
  return first == failures_.end() ? "" : *first;
}

std::string unbound_threads(const std::vector<std::string>& of_ranks) {
  const auto failed = [](const std::string& one) { return !one.empty(); };
  const auto first = std::ranges::find_if(of_ranks, failed);
  if (first == of_ranks.end()) return "";
  const auto others = std::count_if(first + 1, of_ranks.end(), failed);
  std::string line = *first + "; progress threads stay where their rank is";
  if (others > 0) line += " (so on " + std::to_string(others) + " more of the ranks)";
  return line;
}

unsigned default_progress_threads(unsigned rails, std::size_t cores, bool on_software) {
  const std::size_t needed = std::size_t{rails} * (on_software ? 2 : 1);
  return cores >= needed ? std::max(rails, 1U) : 1;
}

unsigned settle_progress_threads(Session& session, unsigned asked, SameHost same_host) {
  const auto rails = static_cast<unsigned>(session.document().ranks[session.rank()].rails.size());
  unsigned wish = asked > 0
                      ? std::min(asked, rails)
                      : default_progress_threads(rails, session.own_cores(), session.on_software());
  if (same_host == SameHost::memory) wish = 1;
  const auto wishes = session.communicator().all_gather(static_cast<double>(wish));
  const auto threads = static_cast<unsigned>(*std::ranges::min_element(wishes));
  session.settle_option("progress-threads", threads);
  return threads;
}

}  // namespace railgauge::runner

#include "runner/collective/thread_choice.hpp"

#include <algorithm>

namespace railgauge::runner {

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

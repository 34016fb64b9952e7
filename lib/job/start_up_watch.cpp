#include "job/start_up_watch.hpp"

#include <condition_variable>
#include <mutex>
#include <utility>

namespace railgauge::job {
namespace {

void take(const std::vector<StartUpWatch::Step>& steps, const std::stop_token& over) {
  const auto began = std::chrono::steady_clock::now();
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any only_time;
  for (const StartUpWatch::Step& step : steps) {
    only_time.wait_until(lock, over, began + step.after, [] { return false; });
    if (over.stop_requested()) return;
    step.action();
  }
}

}  // namespace

StartUpWatch::StartUpWatch(std::vector<Step> steps)
    : thread_([steps = std::move(steps)](const std::stop_token& over) { take(steps, over); }) {}

}  // namespace railgauge::job

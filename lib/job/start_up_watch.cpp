#include "job/start_up_watch.hpp"

#include <utility>

namespace railgauge::job {

StartUpWatch::StartUpWatch(std::vector<Step> steps)
    : steps_(std::move(steps)), thread_([this] { keep_time(); }) {}

StartUpWatch::~StartUpWatch() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void StartUpWatch::keep_time() {
  const auto began = std::chrono::steady_clock::now();
  for (const Step& step : steps_) {
    if (over_before(began + step.after)) return;
    step.action();
  }
}

bool StartUpWatch::over_before(std::chrono::steady_clock::time_point when) {
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, when, [this] { return over_; });
}

}  // namespace railgauge::job

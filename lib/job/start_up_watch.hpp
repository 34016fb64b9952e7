#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace railgauge::job {

/// MPI_Init takes no deadline, and returns only when all ranks have come. While one of these lives,
/// a thread of its own keeps the time.
class StartUpWatch {
 public:
  struct Step {
    std::chrono::seconds after{};
    std::function<void()> action;  // on the watch's thread; may end the process
  };

  /// Takes the steps, in order of time, until it is destroyed.
  explicit StartUpWatch(std::vector<Step> steps);
  ~StartUpWatch();
  StartUpWatch(const StartUpWatch&) = delete;
  StartUpWatch& operator=(const StartUpWatch&) = delete;

 private:
  void keep_time();
  bool over_before(std::chrono::steady_clock::time_point when);

  std::vector<Step> steps_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;  // uses all of them
};

}  // namespace railgauge::job

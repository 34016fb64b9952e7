#pragma once

#include <chrono>
#include <functional>
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

 private:
  std::jthread thread_;
};

}  // namespace railgauge::job

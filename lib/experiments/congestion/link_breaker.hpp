#pragma once

#include <chrono>
#include <string>
#include <thread>

namespace railgauge::runner {

/// Runs a command that breaks a link while flows run, in a thread, and a shell in a process group
/// of its own.
class LinkBreaker {
 public:
  using Clock = std::chrono::steady_clock;
  struct Plan {
    std::string command{};              ///< empty: nothing is broken
    std::chrono::milliseconds after{};  ///< from now
    std::chrono::milliseconds limit{};  ///< of its time; then its process group is killed
    Clock::time_point origin{};         ///< of broken_s()
  };

  explicit LinkBreaker(const Plan& plan);
  ~LinkBreaker() { wait(); }
  LinkBreaker(const LinkBreaker&) = delete;
  LinkBreaker& operator=(const LinkBreaker&) = delete;

  /// Until the command has ended. From here on the rest may be asked for.
  void wait() {
    if (thread_.joinable()) thread_.join();
  }
  /// When the command began, from the origin; 0: none was run.
  [[nodiscard]] double broken_s() const { return broken_s_; }
  /// Why it may have broken nothing, a sentence; empty: it ended with 0.
  [[nodiscard]] const std::string& failure() const { return failure_; }

 private:
  double broken_s_ = 0;
  std::string failure_;
  std::thread thread_;
};

}  // namespace railgauge::runner

#pragma once

#include <cstdint>
#include <vector>

#include "predict/network.hpp"
#include "predict/ranks.hpp"
#include "predict/steps.hpp"

namespace railgauge::predict {

/// What the links carry in one step, in parts of a rank's data.
struct StepLoad {
  double us_per_byte = 0;
  double ideal_us_per_byte = 0;
  std::uint32_t worst = 0;
  std::uint32_t flows_on_worst = 0;
  bool between_hosts = false;
  bool between_pods = false;
  bool any = false;
};

/// The messages of some steps, which are listed once, and what they load a network with.
class Loads {
 public:
  Loads(const schedule::Schedule& schedule, const Ranks& ranks, Network& network);

  void look_at(const Round& round);

  [[nodiscard]] StepLoad load();

  /// Throughput when the step begins over what it would be with NICs and NVLink only.
  [[nodiscard]] double aggregate();

  /// The step's efficiency by E[max] of what the leaves send up.
  [[nodiscard]] double hash_step(double ideal_us_per_byte) const;

 private:
  /// One message of a step.
  struct Sent {
    schedule::Rank from = 0;
    schedule::Rank to = 0;
    std::uint32_t copies = 1;  // steps that it stands for
    double part = 0;
  };

  bool look_at_some(const StepClass& one, bool across);
  void look_at_all(const StepClass& one);
  void add(schedule::Rank from, schedule::Rank to, const StepClass& one, double part);
  [[nodiscard]] bool is_end(std::uint32_t link) const;
  [[nodiscard]] bool by_nics(const Sent& one) const;
  [[nodiscard]] Endpoint end_of(schedule::Rank rank, std::uint32_t stripe) const;
  [[nodiscard]] std::uint32_t flows_of(const Sent& one) const;
  void find_worst(StepLoad& load) const;

  template <class Take>
  void each_flow(const Take& take);

  const schedule::Schedule& schedule_;
  schedule::Rank per_host_;
  std::uint32_t stripes_;
  std::vector<Endpoint> ends_;
  Network& network_;
  Sends sends_;
  std::vector<Sent> sent_{};
  std::vector<double> part_;
  std::vector<std::uint32_t> flows_;
  std::vector<std::uint32_t> links_{};
};

}  // namespace railgauge::predict

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gpu/device.hpp"
#include "runner/session.hpp"
#include "topology/gpu.hpp"

namespace railgauge::runner {

/// Which of a process's GPUs serves a NIC: one of the nearest, where ranks of a host that have the
/// same choice take one after the other. `nearness`: [GPU], at least one.
[[nodiscard]] std::size_t chosen_gpu(const std::vector<topology::Nearness>& nearness,
                                     int local_rank);

/// The GPUs of this process, each opened when it is needed first (gpu::open_device). Functions
/// throw gpu::Failure.
class Gpus {
 public:
  /// `session` outlives it. Looks for nothing yet.
  explicit Gpus(const Session& session) : session_(session) {}

  /// The GPU for data that go over this RDMA device.
  [[nodiscard]] const gpu::Device& nearest(const std::string& nic);
  /// How near it is.
  [[nodiscard]] topology::Nearness nearness(const std::string& nic);

 private:
  void list();
  [[nodiscard]] std::vector<topology::Nearness> nearness_of_all(const std::string& nic) const;
  [[nodiscard]] std::size_t choice(const std::string& nic);

  const Session& session_;
  std::vector<gpu::Description> all_;
};

/// The port of the first rail that this rank is local to, by its place in Session::rails().
[[nodiscard]] std::size_t first_own_rail(const Session& session);

/// Collective: this rank's data are in memory of the GPUs for these of its ports. The record says
/// so of each rank; rank 0 prints it; a warning says whose data cross from one socket to another.
/// Once for each set of ports: what the record has already is not said again.
void use_gpus(Session& session, const std::vector<std::size_t>& ports);

}  // namespace railgauge::runner

#pragma once

#include <set>
#include <vector>

#include "diagnosis/place.hpp"

namespace railgauge::diagnosis {

using Flags = std::set<std::size_t>;  // ports

/// Receivers and senders that noticed something.
struct Noticed {
  Flags receivers;
  Flags senders;
  std::set<Path> paths;          // by which receivers may have it
  std::set<Path> sent;           // of which senders are told
  std::vector<double> counts{};  // what each port counted as a receiver
};

/// Rails all of whose ports noticed something about as often (`counts`, by port): then it is no
/// single port of them. One that has it with all others would count as much as all of them
/// together.
[[nodiscard]] std::vector<Place> whole_rails(const Flags& ports_that_did,
                                             const std::vector<double>& counts, const Ports& ports);

/// All ports of a port's rail and plane.
[[nodiscard]] std::vector<std::size_t> ports_of_rail(std::size_t one, const Ports& ports);

/// The places that explain best who noticed something, and how often: one after the other.
[[nodiscard]] std::vector<Place> explain(Noticed noticed, const Ports& ports);

/// The ports at one end of the place's paths: they count when something happens there.
[[nodiscard]] Flags ends_of(const Place& place, const std::set<Path>& paths, const Ports& ports,
                            std::size_t Path::*end);

}  // namespace railgauge::diagnosis

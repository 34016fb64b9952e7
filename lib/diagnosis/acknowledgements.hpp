#pragma once

#include <cstdint>

#include "diagnosis/path_times.hpp"
#include "diagnosis/place.hpp"

namespace railgauge::diagnosis {

/// How acknowledgements pass a place whose data are slow. They are single packets, so what makes
/// the place slow does to them what it does to data, except that a rate hardly delays small ones.
enum class Acknowledgements : std::uint8_t {
  unmeasured,  ///< none pass, the clocks of both ends cannot be compared, or they may be either of
               ///< the last two: a receiver that waits for a CPU sees data late
  prompt,      ///< hardly later than elsewhere
  queued,      ///< the first are, and the others wait behind data
  scattered,   ///< later by very different times
  late,        ///< all later by about as much as data
};

/// `floor_us`: by how much the fastest chunks that pass the place are slower than others.
[[nodiscard]] Acknowledgements acknowledgements_at(const Place& place, double floor_us,
                                                   const Marks& marks, const Ports& ports);

}  // namespace railgauge::diagnosis

#include "softroce/faults/fates.hpp"

namespace railgauge::softroce {

Fates::Fates(std::uint64_t seed, int device, Direction direction) {
  std::uint32_t stream = 0;
  for (std::mt19937_64& generator : generators_) {
    std::seed_seq origin{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U),
                         static_cast<std::uint32_t>(device), static_cast<std::uint32_t>(direction),
                         stream++};
    generator.seed(origin);
  }
}

bool Fates::happens(Stream stream, double probability) {
  // The upper 53 bits, all that a double holds, as a number from 0 to below 1: so 0 is never, 1 is
  // always, and no rounding can differ from one machine to another.
  return static_cast<double>(draw(stream) >> 11U) * 0x1p-53 < probability;
}

Fate Fates::next(const Faults& faults) {
  Fate fate;
  fate.lost = happens(loss, faults.loss);
  fate.duplicated = happens(duplication, faults.duplication);
  fate.reordered = happens(reordering, faults.reordering);
  fate.corrupted = happens(corruption, faults.corruption);
  fate.falsified = happens(falsification, faults.falsification);
  fate.marked = happens(marking, faults.marking);
  fate.bit = draw(bit);
  // The remainder of 64 bits by at most an hour is as good as even: off by one part in a million.
  fate.jitter = nanoseconds(draw(jitter) % (static_cast<std::uint64_t>(faults.jitter.count()) + 1));
  return fate;
}

}  // namespace railgauge::softroce

#include "measure/bandwidth.hpp"

#include <stdexcept>
#include <string>

namespace railgauge::measure {

double algbw_gigabytes_per_second(std::uint64_t bytes, double microseconds) {
  if (!(microseconds > 0)) {  // also refuses not-a-number
    throw std::invalid_argument("a bandwidth needs a time above zero, not " +
                                std::to_string(microseconds) + " us");
  }
  // bytes / (us * 1e-6 s) / 1e9
  return static_cast<double>(bytes) / microseconds * 1e-3;
}

double busbw_gigabytes_per_second(double algbw_gigabytes_per_second, double bus_factor) {
  return algbw_gigabytes_per_second * bus_factor;
}

}  // namespace railgauge::measure

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "softroce/device/profile.hpp"
#include "softroce/wire/address.hpp"

namespace railgauge::softroce {

/// The settings from the environment, read once. launchers/softroce --help explains them.
struct Settings {
  int rails = 1;  ///< SOFTROCE_RAILS, 1 ... 64: devices soft0 ... soft<rails-1>
  /// SOFTROCE_ENGINES, 1 ... rails: how many engines the devices take turns on (engine.hpp). By
  /// default one each, if there are at least twice as many CPUs as devices; else one for all
  int engines = 1;
  std::vector<Address>
      addresses;  ///< SOFTROCE_ADDRESS, one per rail; default 127.64.x.y, 127.65.x.y,
                  ///< ...
  /// SOFTROCE_RATE: line rates in bits per second, one for all rails or one each, at which devices
  /// send; empty: they say the interface's, or that of Port, and hold nothing back
  std::vector<double> rates;
  std::string capture;          ///< SOFTROCE_PCAP: files <capture>.<pid>.soft0.pcap
  bool print_counters = false;  ///< SOFTROCE_COUNTERS=1: on stderr when the process ends
  bool any_order =
      false;            ///< SOFTROCE_ANY_ORDER=1: packets may overtake each other (Port::any_order)
  bool strict = false;  ///< SOFTROCE_STRICT=1: Port::strict
  Profile profile{};    ///< SOFTROCE_LIKE: Port::profile
  bool dmabuf = true;   ///< SOFTROCE_DMABUF=off: memory is not registered by DMA-bufs
  std::uint64_t dmabuf_limit = ~std::uint64_t{0};  ///< SOFTROCE_DMABUF_LIMIT: longer ones: ENOMEM
  bool shortcut = false;  ///< SOFTROCE_SHORTCUT=1: RDMA between processes of this host is a copy
  int spin_us = -1;  ///< SOFTROCE_SPIN_US: how long the thread looks for more before it sleeps; -1:
                     ///< see progress.cpp
};

/// Throws std::invalid_argument with a sentence that names the variable and what it takes.
Settings read_settings();

}  // namespace railgauge::softroce

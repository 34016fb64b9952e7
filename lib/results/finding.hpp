#pragma once

#include <optional>
#include <string>
#include <vector>

namespace railgauge::results {

/// What is slow or loses packets, where, and why as far as that can be told: lib/diagnosis says how
/// it is found. `text` is the whole of it in a sentence; the other fields are for programs.
struct Finding {
  std::string cause{};      // "packet loss", "rate limit", ...: diagnosis/cause.hpp has all
  std::string scope{};      // "path": from ports to ports; "port", "host", "rail", "processor"
  std::string direction{};  // "sends", "receives", "both": seen from the port or host
  std::string host{};       // of the port that is meant; of a path, of its sender
  std::string device{};
  std::optional<int> rail{};
  std::optional<int> plane{};
  std::vector<int> ranks{};  // that drive it
  std::string to_host{};     // of a path
  std::string to_device{};
  std::vector<int> to_ranks{};
  std::optional<double> slower{};      // how many times the others' time
  std::optional<double> lost_share{};  // of the packets
  std::vector<std::string> evidence{};
  std::string text{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("cause", self.cause);
    visit.required("scope", self.scope);
    visit("direction", self.direction);
    visit("host", self.host);
    visit("device", self.device);
    visit("rail", self.rail);
    visit("plane", self.plane);
    visit("ranks", self.ranks);
    visit("to_host", self.to_host);
    visit("to_device", self.to_device);
    visit("to_ranks", self.to_ranks);
    visit("slower", self.slower);
    visit("lost_share", self.lost_share);
    visit("evidence", self.evidence);
    visit.required("text", self.text);
  }
};

}  // namespace railgauge::results

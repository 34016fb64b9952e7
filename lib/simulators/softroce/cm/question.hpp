#pragma once

#include <array>
#include <cstdint>

namespace railgauge::softroce::cm {

/// What a client asks the UDP socket that has a listener's port number.
struct Question {
  std::array<char, 8> magic{'s', 'o', 'f', 't', 'a', 's', 'k', '1'};
  std::uint64_t nonce = 0;  ///< comes back
};

/// Where the listener is: the number of its TCP port in network order; 0 if nobody listens yet.
struct Answer {
  std::array<char, 8> magic{'s', 'o', 'f', 't', 's', 'a', 'y', '1'};
  std::uint64_t nonce = 0;
  std::uint16_t port = 0;
  std::uint16_t zero = 0;
  std::uint32_t also_zero = 0;
};
static_assert(sizeof(Question) == 16 && sizeof(Answer) == 24);

}  // namespace railgauge::softroce::cm

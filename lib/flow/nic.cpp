#include "flow/nic.hpp"

#include <algorithm>

namespace railgauge::flow {
namespace {

// Whatever a test has under way (test.cpp), and what the one before it left.
constexpr int kCompletions = 8192;

}  // namespace

Nic::Nic(const verbs::Port& port, std::uint32_t most_bytes)
    : port_(port),
      context_(verbs::open_device(port.device)),
      domain_(verbs::allocate_domain(*context_)),
      completions_(*context_, kCompletions),
      memory_(kPayload + std::max(most_bytes, kLargestPacket)),
      region_(verbs::register_memory(*domain_, memory_, verbs::PeerAccess::read_and_write)) {}

}  // namespace railgauge::flow

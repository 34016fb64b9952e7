#pragma once

#include "softroce/device/port.hpp"

namespace railgauge::softroce {

/// The receiving half of a UD queue pair (InfiniBand volume 1, 9.8.3): one packet, one message,
/// with the global route header (for IPv4: 20 unused bytes, then the IP header; annex A17.9.1) in
/// the first 40 bytes. Dropped without a word: a wrong queue key, no receive posted.
void receive_datagram(QueuePair& queue_pair, const Packet& packet, const Arrival& arrival);

}  // namespace railgauge::softroce

#pragma once

#include <cstdint>
#include <optional>
#include <system_error>

#include "flow/nic.hpp"
#include "verbs/datagram_pair.hpp"

namespace railgauge::flow {

/// Some datagrams to the peer, and of those that the peer sends whether any arrives, and in which
/// class: switches may change it, and nobody but the receiver sees that. They may be lost, and
/// nothing waits for them. Where reliable connections fail for want of acknowledgements, too, they
/// tell which direction is dead. A device without datagrams tells nothing; one without IP headers
/// in them no class.
class ClassProbe {
 public:
  static constexpr std::size_t kDatagrams = 8;

  /// `nic` has to outlive it. `id`: of what it sends; of the first receive one more, and so on.
  ClassProbe(Nic& nic, std::uint8_t traffic_class, std::uint64_t id)
      : nic_(nic), traffic_class_(traffic_class), id_(id) {
    try {
      pair_.emplace(nic.domain(), nic.completions(), nic.port(), static_cast<int>(kDatagrams));
      for (std::size_t i = 0; i < kDatagrams; ++i) pair_->post_receive(id + 1 + i, slot(i));
    } catch (const std::system_error&) {
      pair_.reset();
    }
  }

  [[nodiscard]] verbs::Address address() const {
    return pair_ ? pair_->address() : verbs::Address{};
  }
  /// `flow_label`: of the queue pairs whose path they are to take.
  void connect(const verbs::Address& peer, std::uint32_t flow_label) {
    if (!pair_ || peer.qp_number == 0) return;
    try {
      pair_->connect(peer, traffic_class_, flow_label);
      connected_ = true;
    } catch (const std::system_error&) {
    }
  }
  void send() {
    for (std::size_t i = 0; connected_ && i < kDatagrams; ++i)
      pair_->send(nic_.slice(Nic::kOutbox, kBytes), id_);
  }
  /// The receive of that id is complete. One that came in another class counts more than others.
  void arrived(std::uint64_t id) {
    heard_ = true;
    const verbs::LocalSlice at = slot(id - id_ - 1);
    const bool ipv4 = verbs::is_ipv4_mapped(nic_.port().gid->gid);
    const auto found = verbs::traffic_class_in({at.data, at.bytes}, ipv4);
    if (found && (!class_ || *found >> kEcnBits != traffic_class_ >> kEcnBits)) class_ = found;
  }
  /// Of datagrams that arrived; empty: none did, or the device does not say.
  [[nodiscard]] std::optional<std::uint8_t> seen() const { return class_; }
  /// Whether any datagram arrived; empty: this end cannot send any.
  [[nodiscard]] std::optional<bool> heard() const {
    return connected_ ? std::optional(heard_) : std::nullopt;
  }

 private:
  static constexpr std::uint32_t kBytes = 64;
  static constexpr std::uint32_t kSlotBytes = 128;
  static constexpr unsigned kEcnBits = 2;

  /// Behind what else arrives in the inbox.
  [[nodiscard]] verbs::LocalSlice slot(std::size_t at) const {
    return nic_.slice(Nic::kInbox + (at + 1) * kSlotBytes, kSlotBytes);
  }

  Nic& nic_;
  std::uint8_t traffic_class_;
  std::uint64_t id_;
  std::optional<verbs::DatagramPair> pair_{};
  bool connected_ = false;
  bool heard_ = false;
  std::optional<std::uint8_t> class_{};
};

}  // namespace railgauge::flow

#pragma once

#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "softroce/device/memory.hpp"
#include "softroce/wire/address.hpp"

namespace railgauge::softroce {

struct QueuePair;
struct SendRequest;

/// The other end of a queue pair, where its memory can be reached without packets.
class ShortcutPeer {
 public:
  ShortcutPeer() = default;
  ShortcutPeer(const ShortcutPeer&) = delete;
  ShortcutPeer& operator=(const ShortcutPeer&) = delete;
  virtual ~ShortcutPeer() = default;

  /// Carries out `bytes` of a WRITE or READ from `offset` on; `elements` are the request's,
  /// resolved. False when that cannot be done or is not allowed, for any part of the request: the
  /// wire then carries out all of it, or finds out what is wrong with it.
  virtual bool carry_out(const SendRequest& request, std::span<const ibv_sge> elements,
                         std::uint64_t offset, std::size_t bytes) = 0;
  /// It cannot be reached any more: the wire from now on.
  virtual bool lost() const = 0;
};

/// How a port finds such peers, and lets them reach its own memory. A port without one is a wire
/// only. It never decides what an operation comes to: it does what the wire would have done, or
/// leaves it to the wire.
class Shortcut : public MemoryWatcher {
 public:
  /// What peers may do with this queue pair has changed: its state, its access flags.
  virtual void publish(const QueuePair& queue_pair) = 0;
  /// It was connected: looks for its peer, and sets QueuePair::shortcut_peer when it is found.
  virtual void introduce(QueuePair& queue_pair) = 0;
  /// It is reset, or going away.
  virtual void forget(const QueuePair& queue_pair) = 0;
  /// A datagram without its ICRC. False when it is not for the shortcut.
  virtual bool receive(std::span<const std::byte> datagram, const Address& source) = 0;
  /// Does what is due and arms the port's timer for the rest.
  virtual void run_timers() = 0;
};

}  // namespace railgauge::softroce

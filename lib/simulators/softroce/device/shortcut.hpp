#pragma once

#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "softroce/device/memory.hpp"

namespace railgauge::softroce {

struct Arrival;
struct QueuePair;
struct SendRequest;

/// The other end of a queue pair, if its memory can be reached without packets.
class ShortcutPeer {
 public:
  ShortcutPeer() = default;
  ShortcutPeer(const ShortcutPeer&) = delete;
  ShortcutPeer& operator=(const ShortcutPeer&) = delete;
  virtual ~ShortcutPeer() = default;

  /// Executes `bytes` of a WRITE or READ from `offset` on; `elements` are the request's, resolved.
  /// False if any part of the request is impossible or not allowed: then the wire executes all of
  /// it, or finds out what is wrong with it.
  virtual bool carry_out(const SendRequest& request, std::span<const ibv_sge> elements,
                         std::uint64_t offset, std::size_t bytes) = 0;
  /// It can no longer be reached: use the wire from now on.
  virtual bool lost() const = 0;
};

/// How a port finds such peers and gives them access to its own memory. A port without one uses
/// only the wire. It never decides the outcome of an operation: it does what the wire would have
/// done, or leaves it to the wire.
class Shortcut : public MemoryWatcher {
 public:
  /// What peers may do with this queue pair has changed: its state, its access flags.
  virtual void publish(const QueuePair& queue_pair) = 0;
  /// It was connected: looks for its peer, and sets QueuePair::shortcut_peer once found.
  virtual void introduce(QueuePair& queue_pair) = 0;
  /// It is reset, or going away.
  virtual void forget(const QueuePair& queue_pair) = 0;
  /// A datagram without its ICRC. False if it is not for the shortcut.
  virtual bool receive(std::span<const std::byte> datagram, const Arrival& arrival) = 0;
  /// Does what is due and arms the port's timer for the rest.
  virtual void run_timers() = 0;
};

}  // namespace railgauge::softroce

#pragma once

#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace railgauge::softroce {

struct Region;

/// A number that no other process can guess.
std::uint32_t unguessable();

/// The keys of windows are 24 bits of place in a table and 8 bits, the tag, that make a stale key
/// differ. Those of regions have a longer tag, as no program chooses it.
inline constexpr unsigned kTagBits = 8;
inline constexpr unsigned kRegionTagBits = 11;
inline constexpr std::uint32_t kTagMask = (1U << kTagBits) - 1;
/// The tag after this one; never 0, so that no key is 0.
constexpr std::uint8_t next_tag(std::uint8_t tag) {
  return tag == kTagMask ? 1 : static_cast<std::uint8_t>(tag + 1);
}

/// Keys of windows have this bit, keys of regions do not.
inline constexpr std::uint32_t kWindowBit = 0x80000000U;
constexpr bool is_window(std::uint32_t key) {
  return (key & kWindowBit) != 0;
}

/// Who uses a key: the queue pair that a request came to or was posted to, and its domain.
struct Accessor {
  const ibv_pd* domain = nullptr;
  std::uint64_t queue_pair = 0;  ///< QueuePair::identity
};

/// A memory window (InfiniBand volume 1, 10.6.7): a key of its own for a part of a region. The keys
/// of ibv_mw are what the program was told; what a peer may do follows the fields below.
struct Window : ibv_mw {
  std::uint32_t place = 0;     ///< in the table
  std::uint64_t identity = 0;  ///< no other window has or had it
  std::uint32_t key = 0;       ///< as it was bound last
  Region* region = nullptr;    ///< null: not bound
  std::byte* bytes = nullptr;  ///< the first byte
  std::uint64_t start = 0;     ///< the address that peers use for it
  std::uint64_t size = 0;
  unsigned access = 0;           ///< ibv_access_flags
  std::uint64_t queue_pair = 0;  ///< QueuePair::identity; type 2: only this one gives access (2B)
};

/// What a bind request asks for. It names the window by more than its address, because the window
/// may be gone when the request's turn comes.
struct Binding {
  std::uint32_t place = 0;
  std::uint64_t identity = 0;
  std::uint8_t tag = 0;          ///< of the new key
  std::uint32_t region_key = 0;  ///< the region's local key
  std::uint64_t address = 0;     ///< as a work request would name the first byte
  std::uint64_t length = 0;      ///< 0: unbind, type 1 only
  unsigned access = 0;
};

/// What `mw` is to be bound to, with a new key that ends in `tag`.
Binding binding_of(const ibv_mw& mw, std::uint8_t tag, const ibv_mw_bind_info& info);

/// The windows of a device.
class WindowTable {
 public:
  Window* add(ibv_pd* domain, ibv_mw_type type);
  /// Unbinds it, if it is bound.
  void remove(Window* window);

  /// Binds a window to `region`, or unbinds it if the length is 0. Null is a region that does not
  /// exist. False, and nothing has changed, if a rule forbids it.
  bool bind(const Binding& binding, Region* region, const Accessor& by);
  /// Unbinds a window of type 2 by its key. False if there is none that `by` may unbind.
  bool invalidate(std::uint32_t key, const Accessor& by);
  /// As MemoryTable::resolve(), for the key of a window.
  std::byte* resolve(std::uint32_t key, std::uint64_t address, std::uint64_t length,
                     const Accessor& by, unsigned access) const;

 private:
  Window* find(std::uint32_t key) const;
  Window* named(const Binding& binding) const;
  static bool may_bind(const Window& window, const Binding& binding, const Region* region,
                       const Accessor& by);
  static void unbind(Window& window);

  std::vector<std::unique_ptr<Window>> windows_;
  std::vector<std::uint32_t> free_;
  std::uint64_t next_identity_ = 1;
  std::uint8_t next_tag_ = 1;
  // A window has this place in the table, its key has them exclusive-ored.
  std::uint32_t hidden_ = unguessable() & (~kWindowBit >> kTagBits);
};

}  // namespace railgauge::softroce

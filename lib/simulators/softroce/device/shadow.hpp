#pragma once

#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace railgauge::softroce {

/// What keeps the bytes of a region that are not in the program's own memory. Released with it.
class Backing {
 public:
  Backing() = default;
  Backing(const Backing&) = delete;
  Backing& operator=(const Backing&) = delete;
  virtual ~Backing() = default;
};

enum class Copy { from_device, to_device };

/// Host memory that stands for as much memory of a GPU, which only the GPU's driver can copy.
/// Requests read and write the shadow: what they read is copied from the device before, what they
/// have written is copied to the device before anybody is told of it.
class Shadow : public Backing {
 public:
  virtual std::byte* bytes() const = 0;
  virtual std::size_t length() const = 0;
  /// Starts to copy a part of it; copies take place in the order of their starts. False if it
  /// cannot.
  virtual bool start(Copy direction, std::uint64_t offset, std::size_t length) = 0;
  /// Waits for all that was started. False if some of it failed.
  virtual bool finish() = 0;
};

/// Bytes of this process as a resolved element.
inline ibv_sge element_at(const std::byte* first, std::uint64_t length) {
  return {reinterpret_cast<std::uintptr_t>(first), static_cast<std::uint32_t>(length), 0};
}

/// The shadows of a port, found by addresses of theirs. Of resolved scatter-gather elements, only
/// what lies in a shadow is copied.
class ShadowTable {
 public:
  void add(Shadow& shadow) { shadows_[shadow.bytes()] = &shadow; }
  void remove(Shadow& shadow);
  bool empty() const { return shadows_.empty(); }

  /// How many copies have failed. Copies that were started after a mark are whole if none has
  /// failed since: a failure is everybody's whose copies were under way.
  using Mark = std::uint64_t;
  Mark mark() const { return failed_; }

  /// Starts to copy [offset, offset + length) of these elements. False if none of it is in a
  /// shadow.
  bool start(Copy direction, std::span<const ibv_sge> elements, std::uint64_t offset,
             std::uint64_t length);
  /// Waits for all copies. False if one has failed since the mark.
  [[nodiscard]] bool finish(Mark since);
  /// Both.
  [[nodiscard]] bool copy(Copy direction, std::span<const ibv_sge> elements, std::uint64_t offset,
                          std::uint64_t length);

 private:
  bool start(Copy direction, const std::byte* first, std::size_t length);

  std::map<const std::byte*, Shadow*> shadows_;  // by their first bytes
  std::vector<Shadow*> busy_;
  Mark failed_ = 0;
};

/// The bytes of a message on their way to the device: large pieces leave while the rest arrives.
class Landing {
 public:
  void begin(const ShadowTable& shadows);
  /// The first `bytes` of the message are in these elements, and, if `last`, that is all.
  void arrived(ShadowTable& shadows, std::span<const ibv_sge> elements, std::uint64_t bytes,
               bool last);
  /// Whether the message has anything for the device.
  bool any() const { return any_; }
  /// From before its first copy.
  ShadowTable::Mark mark() const { return mark_; }

 private:
  std::uint64_t started_ = 0;
  ShadowTable::Mark mark_ = 0;
  bool any_ = false;
};

}  // namespace railgauge::softroce

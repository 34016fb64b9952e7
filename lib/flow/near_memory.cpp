#include "flow/near_memory.hpp"

#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fstream>
#include <system_error>

namespace railgauge::flow {
namespace {

/// Of pages that nobody has touched yet. MPOL_PREFERRED goes elsewhere rather than fail.
void prefer(std::span<std::byte> pages, unsigned node) {
  constexpr unsigned kBits = sizeof(unsigned long) * CHAR_BIT;
  std::array<unsigned long, 16> nodes{};
  if (node >= nodes.size() * kBits) return;
  nodes[node / kBits] = 1UL << node % kBits;
  // The kernel takes one bit less than it is told of.
  (void)syscall(SYS_mbind, pages.data(), pages.size(), MPOL_PREFERRED, nodes.data(),
                nodes.size() * kBits + 1, 0U);
}

}  // namespace

std::optional<unsigned> numa_node_of(const std::string& device, const std::string& sysfs) {
  std::ifstream file(sysfs + "/" + device + "/device/numa_node");
  int node = -1;
  file >> node;
  if (!file || node < 0) return std::nullopt;
  return static_cast<unsigned>(node);
}

NearMemory::NearMemory(std::size_t bytes, std::optional<unsigned> node) {
  void* const pages =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) {
    throw std::system_error(errno, std::generic_category(),
                            "mmap of " + std::to_string(bytes) + " bytes for a NIC");
  }
  bytes_ = {static_cast<std::byte*>(pages), bytes};
  if (node) prefer(bytes_, *node);
  std::memset(pages, 0, bytes);
}

NearMemory::~NearMemory() {
  munmap(bytes_.data(), bytes_.size());
}

}  // namespace railgauge::flow

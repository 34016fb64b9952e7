// Registering memory by a file descriptor: a memfd, which can be mapped as a DMA-buf of the
// system's heaps can, and what is refused. A GPU's memory: shadow_test and softroce.dmabuf.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "softroce/verbs/calls.hpp"
#include "softroce/verbs/objects.hpp"
#include "wire_pair.hpp"

namespace railgauge::softroce {
namespace {

constexpr std::size_t kFileBytes = std::size_t{1} << 20;
constexpr std::uint64_t kIova = 0x700000000000;  // no address of this process
constexpr unsigned kEverything = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
                                 IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;

/// Shared memory without a name, as the program itself sees it.
class File {
 public:
  File() {
    EXPECT_EQ(ftruncate(number_, kFileBytes), 0);
    bytes_ = static_cast<std::byte*>(
        mmap(nullptr, kFileBytes, PROT_READ | PROT_WRITE, MAP_SHARED, number_, 0));
  }
  ~File() {
    munmap(bytes_, kFileBytes);
    if (number_ >= 0) ::close(number_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int number() const { return number_; }
  void close() {
    EXPECT_EQ(::close(number_), 0);
    number_ = -1;
  }
  std::byte* bytes() const { return bytes_; }

 private:
  int number_ = memfd_create("memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  std::byte* bytes_ = nullptr;
};

class Dmabuf : public ::testing::Test {
 protected:
  static Options large() {
    Options options;
    options.memory_bytes = std::size_t{512} * 1024;
    options.mtu = IBV_MTU_4096;
    return options;
  }
  ibv_mr* add(std::uint64_t offset, std::size_t length, std::uint64_t iova, int from,
              unsigned access = kEverything) {
    errno = 0;
    return calls::reg_dmabuf_mr(pair.server_host.domain, offset, length, iova, from, access);
  }
  int refused(std::uint64_t offset, std::size_t length, std::uint64_t iova, int from,
              unsigned access = kEverything) {
    EXPECT_EQ(add(offset, length, iova, from, access), nullptr);
    return errno;
  }

  WirePair pair{large()};
  File file;
};

/// From the middle of a page of the file to the middle of another.
TEST_F(Dmabuf, AWriteAReadAndASendReachAMemfdThatIsClosed) {
  constexpr std::size_t kOffset = 4096 * 3 + 40;
  constexpr std::uint32_t kLength = 300 * 1024 + 8;
  ibv_mr* const region = add(kOffset, kLength, kIova + 40, file.number());
  ASSERT_NE(region, nullptr) << std::strerror(errno);
  file.close();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(region->addr), kOffset) << "as libibverbs has it";
  EXPECT_EQ(region->length, kLength);
  End& client = pair.client;
  for (std::size_t i = 0; i < kLength; ++i) client.memory[i] = static_cast<std::byte>(i % 251);
  client.remote_address = kIova + 40;
  client.remote_key = region->rkey;
  client.post(IBV_WR_RDMA_WRITE, 1, 0, kLength);
  pair.settle();
  EXPECT_EQ(std::memcmp(file.bytes() + kOffset, client.memory.data(), kLength), 0);
  EXPECT_EQ(file.bytes()[kOffset - 1], std::byte{});
  EXPECT_EQ(file.bytes()[kOffset + kLength], std::byte{});

  file.bytes()[kOffset + 9] = std::byte{252};
  client.post(IBV_WR_RDMA_READ, 2, 0, kLength);
  pair.settle();
  EXPECT_EQ(client.memory[9], std::byte{252});
  EXPECT_EQ(client.memory[kLength - 1], static_cast<std::byte>((kLength - 1) % 251));

  ibv_sge element{kIova + 40, 8, region->lkey};
  ibv_recv_wr receive{7, nullptr, &element, 1};
  ibv_recv_wr* bad = nullptr;
  ASSERT_EQ(post_recv(pair.server.qp, &receive, &bad), 0);
  client.memory[64] = std::byte{253};
  client.post(IBV_WR_SEND, 3, 64, 8);
  pair.settle();
  EXPECT_EQ(summary(client.sent()), "1 ok, 2 ok, 3 ok");
  EXPECT_EQ(summary(pair.server.received()), "7 ok");
  EXPECT_EQ(file.bytes()[kOffset], std::byte{253});
  EXPECT_EQ(calls::dereg_mr(region), 0);
}

TEST_F(Dmabuf, ItsBytesLeaveByItsIova) {
  ibv_mr* const region = add(0, 4096, kIova, file.number());
  ASSERT_NE(region, nullptr);
  file.bytes()[4095] = std::byte{9};
  ibv_sge element{kIova + 4000, 96, region->lkey};
  ibv_send_wr request{};
  request.sg_list = &element;
  request.num_sge = 1;
  request.opcode = IBV_WR_RDMA_WRITE;
  request.send_flags = IBV_SEND_SIGNALED;
  request.wr.rdma = {reinterpret_cast<std::uintptr_t>(pair.client.memory.data()),
                     pair.client.region->rkey};
  EXPECT_EQ(pair.server.post(request), 0);
  pair.settle();
  EXPECT_EQ(pair.client.memory[95], std::byte{9});
  EXPECT_EQ(calls::dereg_mr(region), 0);
}

TEST_F(Dmabuf, APeerStaysInside) {
  ibv_mr* const region = add(0, 4096, kIova, file.number());
  pair.client.remote_address = kIova + 4000;
  pair.client.remote_key = region->rkey;
  pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 97);
  pair.settle();
  EXPECT_EQ(summary(pair.client.sent()), "1 remote access");
  EXPECT_EQ(calls::dereg_mr(region), 0);
}

TEST_F(Dmabuf, WithoutARegionThereIsNoMapping) {
  ibv_mr* const region = add(0, 8192, kIova, file.number());
  std::byte* const bytes = static_cast<Region*>(region)->bytes;
  bytes[8191] = std::byte{1};
  EXPECT_EQ(file.bytes()[8191], std::byte{1});
  EXPECT_EQ(calls::dereg_mr(region), 0);
  std::array<unsigned char, 2> resident{};
  EXPECT_NE(mincore(bytes, 8192, resident.data()), 0);
}

TEST_F(Dmabuf, ReregisteredItIsOrdinaryMemory) {
  ibv_mr* const region = add(0, 8192, kIova, file.number());
  EXPECT_EQ(calls::rereg_mr(region, IBV_REREG_MR_CHANGE_ACCESS, nullptr, nullptr, 0,
                            IBV_ACCESS_LOCAL_WRITE),
            0);
  EXPECT_NE(static_cast<Region*>(region)->imported.backing, nullptr);
  EXPECT_EQ(calls::rereg_mr(region, IBV_REREG_MR_CHANGE_TRANSLATION, nullptr,
                            pair.server.memory.data(), 64, 0),
            0);
  EXPECT_EQ(static_cast<Region*>(region)->bytes, pair.server.memory.data());
  EXPECT_EQ(static_cast<Region*>(region)->imported.backing, nullptr);
  EXPECT_EQ(calls::dereg_mr(region), 0);
}

TEST_F(Dmabuf, AReadOnlyFileIsRegisteredForReading) {
  ASSERT_EQ(fcntl(file.number(), F_ADD_SEALS, F_SEAL_FUTURE_WRITE), 0);
  EXPECT_EQ(refused(0, 4096, kIova, file.number()), EPERM);
  ibv_mr* const region = add(0, 4096, kIova, file.number(), IBV_ACCESS_REMOTE_READ);
  ASSERT_NE(region, nullptr) << std::strerror(errno);
  EXPECT_EQ(calls::dereg_mr(region), 0);
}

TEST_F(Dmabuf, WhatTheKernelRefusesIsRefused) {
  EXPECT_EQ(refused(0, 0, 0, -1, 0), EBADF) << "how programs ask whether it is supported";
  EXPECT_EQ(refused(0, 4096, kIova, 9999), EBADF);
  EXPECT_EQ(refused(0, kFileBytes + 1, kIova, file.number()), EINVAL);
  EXPECT_EQ(refused(kFileBytes - 4096, 4097, kIova, file.number()), EINVAL);
  EXPECT_EQ(refused(~std::uint64_t{4095}, 8192, kIova, file.number()), EINVAL);
  EXPECT_EQ(refused(0, 0, kIova, file.number()), EINVAL);
  EXPECT_EQ(refused(8, 4096, kIova, file.number()), EINVAL) << "not the same place in a page";
  EXPECT_EQ(refused(0, 4096, kIova, file.number(), IBV_ACCESS_REMOTE_WRITE), EINVAL);
  EXPECT_EQ(refused(0, 4096, kIova, file.number(), IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND),
            EINVAL);
}

TEST_F(Dmabuf, WhatIsNoMemoryIsRefused) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  EXPECT_EQ(refused(0, 4096, kIova, ends[0]), EINVAL);
  EXPECT_EQ(refused(0, 4096, reinterpret_cast<std::uintptr_t>(file.bytes()), ends[0]), EINVAL);
  for (const int end : ends) close(end);
}

TEST_F(Dmabuf, ADomainThatIsNoneKeepsNothing) {
  ibv_pd* const domain = pair.server_host.domain;
  const std::uint32_t handle = std::exchange(domain->handle, 0);
  EXPECT_EQ(refused(0, 4096, kIova, file.number()), ENOENT);
  domain->handle = handle;
}

/// Whose addresses are the GPU's cannot be read by the processor, and is not its memory.
TEST_F(Dmabuf, AddressesOfAGpuAreNoMemoryOfTheProcess) {
  void* const reserved =
      mmap(nullptr, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(reserved, MAP_FAILED);
  errno = 0;
  EXPECT_EQ(calls::reg_mr(pair.server_host.domain, reserved, 8192,
                          reinterpret_cast<std::uintptr_t>(reserved), IBV_ACCESS_LOCAL_WRITE),
            nullptr);
  EXPECT_EQ(errno, EFAULT);
  ibv_sge element{reinterpret_cast<std::uintptr_t>(reserved), 8, 0};
  ibv_send_wr request{};
  request.sg_list = &element;
  request.num_sge = 1;
  request.opcode = IBV_WR_SEND;
  request.send_flags = IBV_SEND_INLINE;
  EXPECT_EQ(pair.server.post(request), EFAULT);
  EXPECT_EQ(munmap(reserved, 8192), 0);
}

}  // namespace
}  // namespace railgauge::softroce

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <system_error>

#include "softroce/device/gid_table.hpp"
#include "softroce/device/queue_pair.hpp"
#include "softroce/engine/udp_socket.hpp"
#include "softroce/verbs/entry.hpp"

// Of rdma-core 60 and later.
struct ibv_buf;
struct ibv_mr_init_attr;
extern "C" ibv_mr* ibv_reg_mr_ex(ibv_pd*, ibv_mr_init_attr*);
extern "C" void* ibv_alloc_buf(ibv_pd*, std::size_t, ibv_buf**);

namespace railgauge::softroce {
namespace {

/// As ibv_mr_init_attr begins.
struct RegionRequest {
  std::size_t length;
  int access;
  std::uint64_t present;
  std::uint64_t iova;
  void* address;
  int file = -1;
  std::uint64_t offset = 0;
};

ibv_device* first_soft_device() {
  return calls::devices().front();
}

class Entry : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(context_, nullptr) << std::strerror(errno);
    pd_ = ibv_alloc_pd(context_);
    ASSERT_NE(pd_, nullptr);
  }
  void TearDown() override {
    EXPECT_TRUE(pd_ == nullptr || ibv_dealloc_pd(pd_) == 0);
    EXPECT_TRUE(context_ == nullptr || ibv_close_device(context_) == 0);
  }

  ibv_context* context_ = ibv_open_device(first_soft_device());
  ibv_pd* pd_ = nullptr;
};

TEST(EntryDevices, TheListHasOursAndEndsWithNull) {
  int number = -1;
  ibv_device** const devices = ibv_get_device_list(&number);
  ASSERT_NE(devices, nullptr);
  EXPECT_GE(number, 1);
  EXPECT_EQ(devices[0], first_soft_device());
  EXPECT_EQ(devices[number], nullptr);
  EXPECT_STREQ(ibv_get_device_name(devices[0]), "soft0");
  ibv_free_device_list(devices);
}

TEST(EntryDevices, TheNumberNeedNotBeAskedFor) {
  ibv_device** const devices = ibv_get_device_list(nullptr);
  ASSERT_NE(devices, nullptr);
  ibv_free_device_list(devices);
}

TEST(EntryDevices, FunctionsWithoutAnObjectAreTheRealLibrarys) {
  EXPECT_STREQ(ibv_wc_status_str(IBV_WC_RETRY_EXC_ERR), "transport retry counter exceeded");
  EXPECT_NE(real_symbol("ibv_open_device"), nullptr);
  EXPECT_NE(real_symbol("ibv_open_device"), reinterpret_cast<void*>(&ibv_open_device));
  EXPECT_EQ(real_symbol("ibv_no_such_function"), nullptr);
}

TEST_F(Entry, TheSymbolOfQueryPortWritesTheShortStructureOnly) {
  constexpr std::size_t kShort = offsetof(ibv_port_attr, port_cap_flags2);
  std::array<unsigned char, sizeof(ibv_port_attr)> room{};
  room.fill(0xa5);
  ASSERT_EQ(ibv_query_port(context_, 1, reinterpret_cast<_compat_ibv_port_attr*>(room.data())), 0);
  ibv_port_attr attributes{};
  std::memcpy(&attributes, room.data(), kShort);
  EXPECT_EQ(attributes.link_layer, IBV_LINK_LAYER_ETHERNET);
  for (std::size_t byte = kShort; byte < room.size(); ++byte) EXPECT_EQ(room.at(byte), 0xa5);
}

/// In a port's event, the union holds a port number, and must not be taken for a pointer.
TEST_F(Entry, AnEventOfAPortIsAboutNoObject) {
  ibv_cq* const queue = ibv_create_cq(context_, 1, nullptr, nullptr, 0);
  ASSERT_NE(queue, nullptr);
  EventCount& count = QueuePair::queue_of(queue)->async_events;
  count.handed_out = 1;
  ibv_async_event event{};
  event.element.cq = queue;
  event.event_type = IBV_EVENT_PORT_ERR;
  ibv_ack_async_event(&event);
  EXPECT_EQ(count.acknowledged, 0U);
  event.event_type = IBV_EVENT_CQ_ERR;
  ibv_ack_async_event(&event);
  EXPECT_EQ(count.acknowledged, 1U);
  EXPECT_EQ(ibv_destroy_cq(queue), 0);
}

TEST_F(Entry, AGidEntryOfAnotherSizeIsRefused) {
  ibv_gid_entry entry{};
  EXPECT_EQ(_ibv_query_gid_ex(context_, 1, 0, &entry, 0, sizeof entry), 0);
  EXPECT_EQ(_ibv_query_gid_ex(context_, 1, 0, &entry, 0, sizeof entry - 4), EINVAL);
  EXPECT_EQ(_ibv_query_gid_ex(context_, 1, 0, &entry, 1, sizeof entry), EOPNOTSUPP);
  std::array<ibv_gid_entry, 4> entries{};
  EXPECT_EQ(_ibv_query_gid_table(context_, entries.data(), 4, 0, sizeof entry), 4);
  EXPECT_EQ(_ibv_query_gid_table(context_, entries.data(), 4, 0, sizeof entry - 4), -EINVAL);
  EXPECT_EQ(_ibv_query_gid_table(context_, entries.data(), 4, 1, sizeof entry), -EOPNOTSUPP);
}

TEST_F(Entry, TheNewestRegistrationDoesWhatTheOldOnesDo) {
  std::array<char, 64> bytes{};
  RegionRequest asked{bytes.size(), IBV_ACCESS_LOCAL_WRITE, 2, 0, bytes.data()};
  auto* const attributes = reinterpret_cast<ibv_mr_init_attr*>(&asked);
  ibv_mr* const region = ibv_reg_mr_ex(pd_, attributes);
  ASSERT_NE(region, nullptr);
  EXPECT_EQ(region->addr, bytes.data());
  EXPECT_EQ(region->length, bytes.size());
  EXPECT_EQ(ibv_dereg_mr(region), 0);
  asked.present = 16;  // IBV_REG_MR_MASK_DMAH
  EXPECT_EQ(ibv_reg_mr_ex(pd_, attributes), nullptr);
  EXPECT_EQ(errno, EOPNOTSUPP);
}

TEST_F(Entry, TheNewestRegistrationTakesADmabufToo) {
  const int file = memfd_create("dmabuf", 0);
  ASSERT_EQ(ftruncate(file, 8192), 0);
  RegionRequest asked{4096, IBV_ACCESS_LOCAL_WRITE, 1 | 4 | 8, 0x10000010, nullptr, file, 16};
  auto* const attributes = reinterpret_cast<ibv_mr_init_attr*>(&asked);
  ibv_mr* const region = ibv_reg_mr_ex(pd_, attributes);
  ASSERT_NE(region, nullptr);
  EXPECT_EQ(region->length, 4096U);
  EXPECT_EQ(ibv_dereg_mr(region), 0);
  asked.present = 1 | 4;  // without an offset
  EXPECT_EQ(ibv_reg_mr_ex(pd_, attributes), nullptr);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(close(file), 0);
}

/// How NCCL and perftest ask whether a device has it.
TEST_F(Entry, DmabufsAreSupported) {
  errno = 0;
  EXPECT_EQ(ibv_reg_dmabuf_mr(pd_, 0, 0, 0, -1, 0), nullptr);
  EXPECT_EQ(errno, EBADF);
}

TEST_F(Entry, WhatSoftDevicesHaveNotIsRefusedInTheFunctionsOwnWay) {
  errno = 0;
  EXPECT_EQ(ibv_import_pd(context_, 1), nullptr);
  EXPECT_EQ(errno, EOPNOTSUPP);
  errno = 0;
  EXPECT_EQ(ibv_alloc_buf(pd_, 64, nullptr), nullptr);
  EXPECT_EQ(errno, EOPNOTSUPP);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
constexpr const char* kNeedsDescriptors = "the sanitizer itself looks at objects through a pipe";

/// While it lives, the process gets no more file descriptors.
class NoDescriptorsLeft {
 public:
  NoDescriptorsLeft() {
    getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit none{0, before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoDescriptorsLeft() { setrlimit(RLIMIT_NOFILE, &before_); }
  NoDescriptorsLeft(const NoDescriptorsLeft&) = delete;
  NoDescriptorsLeft& operator=(const NoDescriptorsLeft&) = delete;

 private:
  rlimit before_{};
};

TEST_F(Entry, WithoutADescriptorADeviceIsNotOpenedAndItIsSaidWhy) {
  if (kSanitized) GTEST_SKIP() << kNeedsDescriptors;
  ::testing::internal::CaptureStderr();
  {
    const NoDescriptorsLeft none;
    errno = 0;
    EXPECT_EQ(ibv_open_device(first_soft_device()), nullptr);
    EXPECT_EQ(errno, EMFILE);
  }
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("softroce: soft0: "), std::string::npos) << said;
  EXPECT_NE(said.find("EMFILE"), std::string::npos) << said;
  EXPECT_NE(said.find("ulimit -n"), std::string::npos) << said;
}

TEST_F(Entry, WithoutADescriptorThereIsNoChannelAndItIsSaidOnce) {
  if (kSanitized) GTEST_SKIP() << kNeedsDescriptors;
  ::testing::internal::CaptureStderr();
  {
    const NoDescriptorsLeft none;
    for (int i = 0; i < 2; ++i) {
      errno = 0;
      EXPECT_EQ(ibv_create_comp_channel(context_), nullptr);
      EXPECT_EQ(errno, EMFILE);
    }
  }
  const std::string said = ::testing::internal::GetCapturedStderr();
  const std::size_t first = said.find("EMFILE");
  ASSERT_NE(first, std::string::npos) << said;
  EXPECT_EQ(said.find("EMFILE", first + 1), std::string::npos) << said;
}

/// A flow label takes a socket of its own.
TEST_F(Entry, WithoutADescriptorAFlowLabelIsRefusedForThatReason) {
  if (kSanitized) GTEST_SKIP() << kNeedsDescriptors;
  ibv_ah_attr attributes{};
  attributes.is_global = 1;
  attributes.port_num = 1;
  attributes.grh.flow_label = 0x12345;
  ASSERT_EQ(ibv_query_gid(context_, 1, 0, &attributes.grh.dgid), 0);
  {
    const NoDescriptorsLeft none;
    errno = 0;
    EXPECT_EQ(ibv_create_ah(pd_, &attributes), nullptr);
    EXPECT_EQ(errno, EMFILE);
  }
  ibv_ah* const handle = ibv_create_ah(pd_, &attributes);
  ASSERT_NE(handle, nullptr);
  EXPECT_EQ(ibv_destroy_ah(handle), 0);
}

/// Whoever asks switches which way a flow takes sends from its port, once the device does not.
TEST_F(Entry, AFlowLabelHasItsSourcePortAsLongAsItIsUsed) {
  ibv_ah_attr attributes{};
  attributes.is_global = 1;
  attributes.port_num = 1;
  attributes.grh.flow_label = 0x2345;
  ASSERT_EQ(ibv_query_gid(context_, 1, 0, &attributes.grh.dgid), 0);
  const auto is_free = [&] {
    try {
      const UdpSocket other(address_of(std::bit_cast<Address>(attributes.grh.dgid)), 0xe345);
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  };
  ibv_ah* const one = ibv_create_ah(pd_, &attributes);
  ibv_ah* const other = ibv_create_ah(pd_, &attributes);
  EXPECT_FALSE(is_free());
  EXPECT_EQ(ibv_destroy_ah(one), 0);
  EXPECT_FALSE(is_free()) << "another uses it still";
  EXPECT_EQ(ibv_destroy_ah(other), 0);
  EXPECT_TRUE(is_free());
}

TEST_F(Entry, AnObjectThatIsNotOursGoesToTheRealLibrary) {
  ibv_device device{};
  std::strcpy(device.name, "real0");
  EXPECT_STREQ(ibv_get_device_name(&device), "real0");
}

}  // namespace
}  // namespace railgauge::softroce

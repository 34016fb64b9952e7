#include "doctor/kernel_answers.hpp"

#include <arpa/inet.h>
#include <linux/dcbnl.h>
#include <linux/devlink.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "doctor/optics.hpp"
#include "finding/words.hpp"
#include "topology/pci.hpp"

namespace railgauge::doctor {
namespace {

using topology::Recording;
using Bytes = std::span<const std::byte>;
using Settings = std::map<std::string, std::string>;

class Socket {
 public:
  Socket(int family, int kind, int protocol)
      : number_(::socket(family, kind | SOCK_CLOEXEC, protocol)) {}
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

// Netlink.

void add_padded(std::vector<std::byte>& bytes, const void* data, std::size_t size) {
  const auto* const begin = static_cast<const std::byte*>(data);
  bytes.insert(bytes.end(), begin, begin + size);
  bytes.resize(NLA_ALIGN(bytes.size()));
}

void add_attribute(std::vector<std::byte>& bytes, std::uint16_t type, const void* value,
                   std::size_t size) {
  const nlattr head{static_cast<std::uint16_t>(NLA_HDRLEN + size), type};
  add_padded(bytes, &head, sizeof head);
  add_padded(bytes, value, size);
}

/// A request with a fixed part and attributes behind it.
class Request {
 public:
  explicit Request(std::uint16_t type) {
    nlmsghdr head{};
    head.nlmsg_type = type;
    head.nlmsg_flags = NLM_F_REQUEST;
    add_padded(bytes_, &head, sizeof head);
  }
  template <class Fixed>
  Request(std::uint16_t type, const Fixed& fixed) : Request(type) {
    add_padded(bytes_, &fixed, sizeof fixed);
  }

  void attribute(std::uint16_t type, const void* value, std::size_t size) {
    add_attribute(bytes_, type, value, size);
  }

  /// The reply; empty, with errno, if there is none.
  std::vector<std::byte> answered(int protocol = NETLINK_ROUTE) {
    constexpr std::size_t kRoom = 1U << 16U;
    const auto length = static_cast<std::uint32_t>(bytes_.size());
    std::memcpy(bytes_.data(), &length, sizeof length);
    const Socket socket(AF_NETLINK, SOCK_RAW, protocol);
    if (socket.number() < 0) return {};
    const timeval patience{.tv_sec = 1, .tv_usec = 0};
    ::setsockopt(socket.number(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (::send(socket.number(), bytes_.data(), bytes_.size(), 0) < 0) return {};
    std::vector<std::byte> reply(kRoom);
    const ssize_t got = ::recv(socket.number(), reply.data(), reply.size(), 0);
    if (got < 0) return {};
    reply.resize(static_cast<std::size_t>(got));
    return is_error(reply) ? std::vector<std::byte>{} : reply;
  }

 private:
  static bool is_error(Bytes reply) {
    nlmsghdr head{};
    if (reply.size() < sizeof head) return true;
    std::memcpy(&head, reply.data(), sizeof head);
    if (head.nlmsg_type != NLMSG_ERROR) return false;
    int error = 0;
    if (reply.size() >= sizeof head + sizeof error)
      std::memcpy(&error, reply.data() + sizeof head, sizeof error);
    errno = -error;
    return true;
  }

  std::vector<std::byte> bytes_{};
};

/// What the attributes of that type hold.
std::vector<Bytes> attributes_in(Bytes attributes, std::uint16_t type) {
  std::vector<Bytes> found;
  while (attributes.size() >= NLA_HDRLEN) {
    nlattr head{};
    std::memcpy(&head, attributes.data(), sizeof head);
    if (head.nla_len < NLA_HDRLEN || head.nla_len > attributes.size()) break;
    if ((head.nla_type & NLA_TYPE_MASK) == type)
      found.push_back(attributes.subspan(NLA_HDRLEN, head.nla_len - std::size_t{NLA_HDRLEN}));
    attributes = attributes.subspan(
        std::min(attributes.size(), static_cast<std::size_t>(NLA_ALIGN(head.nla_len))));
  }
  return found;
}

/// The first of them; empty: there is none.
std::optional<Bytes> attribute_in(Bytes attributes, std::uint16_t type) {
  const auto found = attributes_in(attributes, type);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

template <class T>
std::optional<T> value_in(const std::optional<Bytes>& bytes) {
  if (!bytes || bytes->size() < sizeof(T)) return std::nullopt;
  T value{};
  std::memcpy(&value, bytes->data(), sizeof value);
  return value;
}

// DCB.

std::string joined_or_none(const std::vector<std::string>& parts) {
  return parts.empty() ? "none" : finding::joined(parts, " ");
}

std::string priorities_of(const ieee_pfc& pfc) {
  std::vector<std::string> on;
  for (unsigned priority = 0; priority < IEEE_8021QAZ_MAX_TCS; ++priority) {
    if ((pfc.pfc_en >> priority & 1U) != 0) on.push_back(std::to_string(priority));
  }
  return joined_or_none(on);
}

/// "26:3 48:6" of the entries whose selector is DSCP.
std::string dscps_in(Bytes table) {
  std::vector<std::pair<int, int>> found;
  for (const Bytes entry : attributes_in(table, DCB_ATTR_IEEE_APP)) {
    const auto app = value_in<dcb_app>(entry);
    if (app && app->selector == IEEE_8021QAZ_APP_SEL_DSCP)
      found.emplace_back(app->protocol, app->priority);
  }
  std::ranges::sort(found);
  std::vector<std::string> texts;
  texts.reserve(found.size());
  for (const auto& [dscp, priority] : found)
    texts.push_back(std::to_string(dscp) + ":" + std::to_string(priority));
  return joined_or_none(texts);
}

void take_buffers(const dcbnl_buffer& buffer, Settings& settings) {
  std::vector<std::string> by_priority;
  std::vector<std::string> sizes;
  for (std::size_t i = 0; i < std::size(buffer.prio2buffer); ++i)
    by_priority.push_back(std::to_string(i) + ":" + std::to_string(buffer.prio2buffer[i]));
  for (std::size_t i = 0; i < std::size(buffer.buffer_size); ++i)
    sizes.push_back(std::to_string(i) + ":" + std::to_string(buffer.buffer_size[i]));
  settings["priority-to-buffer"] = finding::joined(by_priority, " ");
  settings["buffer-size"] = finding::joined(sizes, " ");
}

constexpr std::array kDcbNames{"pfc",   "dscp-to-priority",   "peer-pfc",
                               "owner", "priority-to-buffer", "buffer-size"};

/// Empty, with errno, if there is none.
std::vector<std::byte> dcb_reply(const std::string& netdev) {
  dcbmsg fixed{};
  fixed.cmd = DCB_CMD_IEEE_GET;
  Request request(RTM_GETDCB, fixed);
  request.attribute(DCB_ATTR_IFNAME, netdev.c_str(), netdev.size() + 1);
  errno = 0;
  return request.answered();
}

/// The attributes of the reply that IEEE 802.1Qaz has; empty: there are none.
std::optional<Bytes> ieee_in(Bytes reply) {
  constexpr std::size_t kFixed = NLMSG_HDRLEN + NLMSG_ALIGN(sizeof(dcbmsg));
  if (reply.size() < kFixed) return std::nullopt;
  return attribute_in(reply.subspan(kFixed), DCB_ATTR_IEEE);
}

void add_dcb(Recording& recording, const std::string& netdev) {
  const auto reply = dcb_reply(netdev);
  const int error = reply.empty() ? errno : ENOENT;
  Settings settings = dcb_settings(reply);
  for (const char* const name : kDcbNames) {
    const std::string path = "dcb/" + netdev + "/" + name;
    if (settings.contains(name)) {
      recording.files[path] = settings[name];
    } else {
      put_error(recording, path, error);
    }
  }
}

// ethtool.

template <class Command>
int ask(const std::string& netdev, Command& command) {
  ifreq wanted{};
  if (netdev.empty() || netdev.size() >= sizeof wanted.ifr_name) return ENODEV;
  std::ranges::copy(netdev, wanted.ifr_name);
  wanted.ifr_data = reinterpret_cast<char*>(&command);
  const Socket socket(AF_INET, SOCK_DGRAM, 0);
  return ::ioctl(socket.number(), SIOCETHTOOL, &wanted) == 0 ? 0 : errno;
}

void add_driver(Recording& recording, const std::string& netdev) {
  ethtool_drvinfo info{};
  info.cmd = ETHTOOL_GDRVINFO;
  const std::string path = "ethtool/" + netdev + "/driver-version";
  if (const int error = ask(netdev, info); error != 0) return put_error(recording, path, error);
  const std::string driver(info.driver, ::strnlen(info.driver, sizeof info.driver));
  recording.files[path] =
      driver + " " + std::string(info.version, ::strnlen(info.version, sizeof info.version));
}

void add_pause(Recording& recording, const std::string& netdev) {
  ethtool_pauseparam pause{};
  pause.cmd = ETHTOOL_GPAUSEPARAM;
  const std::string path = "ethtool/" + netdev + "/pause";
  if (const int error = ask(netdev, pause); error != 0) return put_error(recording, path, error);
  const auto word = [](std::uint32_t on) { return on != 0 ? "on" : "off"; };
  recording.files[path] = std::string("rx ") + word(pause.rx_pause) + " tx " + word(pause.tx_pause);
}

void add_fec(Recording& recording, const std::string& netdev) {
  ethtool_fecparam fec{};
  fec.cmd = ETHTOOL_GFECPARAM;
  const std::string path = "ethtool/" + netdev + "/fec";
  if (const int error = ask(netdev, fec); error != 0) return put_error(recording, path, error);
  const std::uint32_t active = fec.active_fec;
  recording.files[path] = (active & ETHTOOL_FEC_RS) != 0      ? "RS"
                          : (active & ETHTOOL_FEC_LLRS) != 0  ? "LLRS"
                          : (active & ETHTOOL_FEC_BASER) != 0 ? "BaseR"
                          : (active & ETHTOOL_FEC_OFF) != 0   ? "off"
                                                              : "unknown";
}

// Modules and FEC, by ethtool's netlink.

constexpr std::size_t kGenericFixed = NLMSG_HDRLEN + GENL_HDRLEN;

/// The number of a family, such as "ethtool"; 0, with errno: there is none.
std::uint16_t family_of(const std::string& name) {
  Request request(GENL_ID_CTRL, genlmsghdr{CTRL_CMD_GETFAMILY, 1, 0});
  request.attribute(CTRL_ATTR_FAMILY_NAME, name.c_str(), name.size() + 1);
  errno = 0;
  const auto reply = request.answered(NETLINK_GENERIC);
  if (reply.size() < kGenericFixed) return 0;
  return value_in<std::uint16_t>(
             attribute_in(Bytes(reply).subspan(kGenericFixed), CTRL_ATTR_FAMILY_ID))
      .value_or(0);
}

/// Adds the attribute that names the network device; it has the same number in all requests.
void name_device(Request& request, const std::string& netdev, std::uint32_t flags = 0) {
  std::vector<std::byte> nested;
  add_attribute(nested, ETHTOOL_A_HEADER_DEV_NAME, netdev.c_str(), netdev.size() + 1);
  if (flags != 0) add_attribute(nested, ETHTOOL_A_HEADER_FLAGS, &flags, sizeof flags);
  static_assert(int{ETHTOOL_A_MODULE_EEPROM_HEADER} == int{ETHTOOL_A_FEC_HEADER});
  request.attribute(ETHTOOL_A_FEC_HEADER | NLA_F_NESTED, nested.data(), nested.size());
}

/// Half a page of a module's memory: the lower half, or the upper one of that page. Empty, with
/// errno, if it cannot be read.
std::string module_page(std::uint16_t family, const std::string& netdev, std::optional<int> upper) {
  constexpr std::uint32_t kHalf = 128;
  constexpr std::uint8_t kAddress = 0x50;
  Request request(family, genlmsghdr{ETHTOOL_MSG_MODULE_EEPROM_GET, ETHTOOL_GENL_VERSION, 0});
  name_device(request, netdev);
  const std::uint32_t offset = upper ? kHalf : 0;
  const auto page = static_cast<std::uint8_t>(upper.value_or(0));
  const std::uint8_t bank = 0;
  request.attribute(ETHTOOL_A_MODULE_EEPROM_OFFSET, &offset, sizeof offset);
  request.attribute(ETHTOOL_A_MODULE_EEPROM_LENGTH, &kHalf, sizeof kHalf);
  request.attribute(ETHTOOL_A_MODULE_EEPROM_PAGE, &page, sizeof page);
  request.attribute(ETHTOOL_A_MODULE_EEPROM_BANK, &bank, sizeof bank);
  request.attribute(ETHTOOL_A_MODULE_EEPROM_I2C_ADDRESS, &kAddress, sizeof kAddress);
  errno = 0;
  const auto reply = request.answered(NETLINK_GENERIC);
  if (reply.size() < kGenericFixed) return "";
  const auto data = attribute_in(Bytes(reply).subspan(kGenericFixed), ETHTOOL_A_MODULE_EEPROM_DATA);
  if (!data) return "";
  return {reinterpret_cast<const char*>(data->data()), data->size()};
}

std::vector<std::byte> fec_reply(std::uint16_t family, const std::string& netdev) {
  if (family == 0) return {};
  Request request(family, genlmsghdr{ETHTOOL_MSG_FEC_GET, ETHTOOL_GENL_VERSION, 0});
  name_device(request, netdev, ETHTOOL_FLAG_STATS);
  return request.answered(NETLINK_GENERIC);
}

void add_module(Recording& recording, std::uint16_t family, const std::string& netdev) {
  ModuleMemory memory;
  int error = family == 0 ? EOPNOTSUPP : 0;
  if (error == 0) memory.lower = module_page(family, netdev, {});
  if (error == 0 && memory.lower.empty()) error = errno == 0 ? ENODATA : errno;
  for (const int page : pages_wanted(memory.lower)) {
    memory.upper[page] = module_page(family, netdev, page);
    if (memory.upper[page].empty()) error = errno == 0 ? ENODATA : errno;
  }
  const Settings found = optics_of(memory);
  for (const char* const name : {"temperature", "rx-power", "tx-power"}) {
    const std::string path = "module/" + netdev + "/" + name;
    if (error != 0 || !found.contains(name)) {
      put_error(recording, path, error == 0 ? ENOENT : error);
    } else {
      recording.files[path] = found.at(name);
    }
  }
}

// Devices, by devlink's netlink and that of RDMA.

/// Of the firmware that runs, or that is stored, by name.
Settings versions_in(Bytes attributes, std::uint16_t which) {
  const auto text_of = [](const std::optional<Bytes>& bytes) {
    if (!bytes) return std::string();
    const auto* const begin = reinterpret_cast<const char*>(bytes->data());
    return std::string(begin, ::strnlen(begin, bytes->size()));
  };
  Settings versions;
  for (const Bytes one : attributes_in(attributes, which))
    versions[text_of(attribute_in(one, DEVLINK_ATTR_INFO_VERSION_NAME))] =
        text_of(attribute_in(one, DEVLINK_ATTR_INFO_VERSION_VALUE));
  return versions;
}

void add_firmware(Recording& recording, std::uint16_t family, const std::string& address) {
  const std::string path = "devlink/" + address + "/pending";
  if (family == 0) return put_error(recording, path, ENOENT);
  constexpr std::string_view kBus = "pci";
  Request request(family, genlmsghdr{DEVLINK_CMD_INFO_GET, DEVLINK_GENL_VERSION, 0});
  request.attribute(DEVLINK_ATTR_BUS_NAME, kBus.data(), kBus.size() + 1);
  request.attribute(DEVLINK_ATTR_DEV_NAME, address.c_str(), address.size() + 1);
  errno = 0;
  const auto reply = request.answered(NETLINK_GENERIC);
  if (reply.empty()) return put_error(recording, path, errno == ENODEV ? ENOENT : errno);
  recording.files[path] = pending_firmware(reply);
}

/// Whether RDMA devices are in network namespaces: RDMA_NLDEV_CMD_SYS_GET (rdma/rdma_netlink.h).
void add_namespaces(Recording& recording) {
  constexpr std::uint16_t kSystem = (5U << 10U) + 6U;  // of the client NLDEV
  constexpr std::uint16_t kMode = 66;                  // RDMA_NLDEV_SYS_ATTR_NETNS_MODE
  const std::string path = "rdma/network-namespaces";
  Request request(kSystem);
  errno = 0;
  const auto reply = request.answered(NETLINK_RDMA);
  const auto shared =
      reply.size() < NLMSG_HDRLEN
          ? std::nullopt
          : value_in<std::uint8_t>(attribute_in(Bytes(reply).subspan(NLMSG_HDRLEN), kMode));
  if (!shared)
    return put_error(recording, path, reply.empty() && errno != EPROTONOSUPPORT ? errno : ENOENT);
  recording.files[path] = *shared != 0 ? "shared" : "exclusive";
}

// Routes.

/// Another address of the same subnet; empty: there is none, as of /32.
std::optional<in_addr> another_of(const topology::NetAddress& own) {
  constexpr int kLongest = 31;
  if (!topology::is_ipv4(own.address) || own.prefix_length > kLongest) return std::nullopt;
  in_addr other{};
  std::memcpy(&other, own.address.bytes.data() + 12, sizeof other);
  other.s_addr ^= htonl(own.prefix_length == kLongest ? 1 : 2);
  return other;
}

void add_route(Recording& recording, const std::string& netdev) {
  const std::string path = "route/" + netdev;
  const auto own = std::ranges::find_if(recording.addresses, [&](const auto& one) {
    return one.netdev == netdev && another_of(one).has_value();
  });
  if (own == recording.addresses.end()) return put_error(recording, path, ENOENT);
  const in_addr to = another_of(*own).value_or(in_addr{});
  rtmsg fixed{};
  fixed.rtm_family = AF_INET;
  fixed.rtm_dst_len = 32;
  fixed.rtm_src_len = 32;
  Request request(RTM_GETROUTE, fixed);
  request.attribute(RTA_DST, &to, sizeof to);
  request.attribute(RTA_SRC, own->address.bytes.data() + 12, sizeof to);
  errno = 0;
  const auto reply = request.answered();
  if (reply.empty()) return put_error(recording, path, errno);
  const auto out =
      value_in<int>(attribute_in(Bytes(reply).subspan(NLMSG_HDRLEN + sizeof fixed), RTA_OIF));
  std::array<char, IF_NAMESIZE> name{};
  if (!out || ::if_indextoname(static_cast<unsigned>(*out), name.data()) == nullptr)
    return put_error(recording, path, ENODATA);
  recording.files[path] = name.data();
}

// This process and its clock.

std::string limit_text(rlim_t limit) {
  return limit == RLIM_INFINITY ? "unlimited" : std::to_string(limit);
}

void add_limit(Recording& recording, __rlimit_resource which, const std::string& path) {
  rlimit limit{};
  if (::getrlimit(which, &limit) != 0) return put_error(recording, path, errno);
  recording.files[path] = limit_text(limit.rlim_cur);
}

void add_clock(Recording& recording) {
  timex clock{};  // modes = 0: nothing is changed
  if (::adjtimex(&clock) < 0) {
    put_error(recording, "clock/state", errno);
    return put_error(recording, "clock/max-error-us", errno);
  }
  recording.files["clock/state"] =
      (clock.status & STA_UNSYNC) == 0 ? "synchronised" : "free-running";
  recording.files["clock/max-error-us"] = std::to_string(clock.maxerror);
}

}  // namespace

void put_error(Recording& recording, const std::string& path, int error) {
  const char* const name = ::strerrorname_np(error);
  recording.unread[path] = name == nullptr ? "error " + std::to_string(error) : name;
}

Settings dcb_settings(Bytes reply) {
  Settings settings;
  constexpr std::size_t kFixed = NLMSG_HDRLEN + NLMSG_ALIGN(sizeof(dcbmsg));
  if (reply.size() < kFixed) return settings;
  const Bytes attributes = reply.subspan(kFixed);
  if (const auto owner = value_in<std::uint8_t>(attribute_in(attributes, DCB_ATTR_DCBX)))
    settings["owner"] = (*owner & DCB_CAP_DCBX_LLD_MANAGED) != 0 ? "firmware" : "host";
  const auto ieee = ieee_in(reply);
  if (!ieee) return settings;
  if (const auto pfc = value_in<ieee_pfc>(attribute_in(*ieee, DCB_ATTR_IEEE_PFC)))
    settings["pfc"] = priorities_of(*pfc);
  if (const auto peer = value_in<ieee_pfc>(attribute_in(*ieee, DCB_ATTR_IEEE_PEER_PFC)))
    settings["peer-pfc"] = priorities_of(*peer);
  if (const auto table = attribute_in(*ieee, DCB_ATTR_IEEE_APP_TABLE)) {
    settings["dscp-to-priority"] = dscps_in(*table);
  } else if (settings.contains("pfc")) {
    settings["dscp-to-priority"] = "none";
  }
  if (const auto buffer = value_in<dcbnl_buffer>(attribute_in(*ieee, DCB_ATTR_DCB_BUFFER)))
    take_buffers(*buffer, settings);
  return settings;
}

telemetry::Counters pfc_counters(Bytes reply) {
  telemetry::Counters counters;
  const auto ieee = ieee_in(reply);
  const auto pfc = ieee ? value_in<ieee_pfc>(attribute_in(*ieee, DCB_ATTR_IEEE_PFC)) : std::nullopt;
  if (!pfc) return counters;
  std::uint64_t any = 0;
  for (std::size_t priority = 0; priority < IEEE_8021QAZ_MAX_TCS; ++priority) {
    const std::string name = "_prio" + std::to_string(priority);
    counters["pfc_requests" + name] = pfc->requests[priority];
    counters["pfc_indications" + name] = pfc->indications[priority];
    any |= pfc->requests[priority] | pfc->indications[priority];
  }
  return any == 0 ? telemetry::Counters{} : counters;
}

telemetry::Counters fec_counters(Bytes reply) {
  telemetry::Counters counters;
  if (reply.size() < kGenericFixed) return counters;
  const auto all = attribute_in(reply.subspan(kGenericFixed), ETHTOOL_A_FEC_STATS);
  if (!all) return counters;
  // The sum of all lanes comes first.
  if (const auto sum = value_in<std::uint64_t>(attribute_in(*all, ETHTOOL_A_FEC_STAT_CORRECTED)))
    counters["fec_corrected_blocks"] = *sum;
  if (const auto sum = value_in<std::uint64_t>(attribute_in(*all, ETHTOOL_A_FEC_STAT_UNCORR)))
    counters["fec_uncorrectable_blocks"] = *sum;
  return counters;
}

std::string pending_firmware(Bytes reply) {
  if (reply.size() < kGenericFixed) return "none";
  const Bytes attributes = reply.subspan(kGenericFixed);
  const Settings stored = versions_in(attributes, DEVLINK_ATTR_INFO_VERSION_STORED);
  std::vector<std::string> pending;
  for (const auto& [name, running] : versions_in(attributes, DEVLINK_ATTR_INFO_VERSION_RUNNING)) {
    const auto other = stored.find(name);
    const bool known = other != stored.end() && !other->second.empty() && !running.empty();
    if (known && name.starts_with("fw") && other->second != running)
      pending.push_back(finding::joined({name, running, "to", other->second}, " "));
  }
  return pending.empty() ? "none" : finding::joined(pending);
}

telemetry::Counters netlink_counters(const std::string& netdev) {
  telemetry::Counters counters = pfc_counters(dcb_reply(netdev));
  counters.merge(fec_counters(fec_reply(family_of(ETHTOOL_GENL_NAME), netdev)));
  return counters;
}

void add_kernel_answers(Recording& recording, const std::vector<std::string>& netdevs) {
  const std::uint16_t family = family_of(ETHTOOL_GENL_NAME);
  for (const std::string& netdev : netdevs) {
    add_module(recording, family, netdev);
    add_dcb(recording, netdev);
    add_driver(recording, netdev);
    add_pause(recording, netdev);
    add_fec(recording, netdev);
    add_route(recording, netdev);
  }
  const std::uint16_t devices = family_of(DEVLINK_GENL_NAME);
  for (const std::string& device : recording.names("class/infiniband")) {
    const auto chain =
        topology::pci_addresses(recording.target("class/infiniband/" + device + "/device"));
    if (!chain.empty()) add_firmware(recording, devices, chain.back());
  }
  add_namespaces(recording);
  add_limit(recording, RLIMIT_MEMLOCK, "process/memlock");
  add_limit(recording, RLIMIT_NOFILE, "process/open-files");
  add_clock(recording);
}

}  // namespace railgauge::doctor

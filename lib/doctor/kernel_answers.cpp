#include "doctor/kernel_answers.hpp"

#include <arpa/inet.h>
#include <linux/dcbnl.h>
#include <linux/ethtool.h>
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

#include "finding/words.hpp"

namespace railgauge::doctor {
namespace {

using topology::Recording;
using Bytes = std::span<const std::byte>;
using Settings = std::map<std::string, std::string>;

void put_error(Recording& recording, const std::string& path, int error) {
  const char* const name = ::strerrorname_np(error);
  recording.unread[path] = name == nullptr ? "error " + std::to_string(error) : name;
}

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

/// A request with a fixed part and attributes behind it.
class Request {
 public:
  template <class Fixed>
  Request(std::uint16_t type, const Fixed& fixed) {
    nlmsghdr head{};
    head.nlmsg_type = type;
    head.nlmsg_flags = NLM_F_REQUEST;
    add(&head, sizeof head);
    add(&fixed, sizeof fixed);
  }

  void attribute(std::uint16_t type, const void* value, std::size_t size) {
    const nlattr head{static_cast<std::uint16_t>(NLA_HDRLEN + size), type};
    add(&head, sizeof head);
    add(value, size);
  }

  /// The reply; empty, with errno, if there is none.
  std::vector<std::byte> answered() {
    constexpr std::size_t kRoom = 1U << 16U;
    const auto length = static_cast<std::uint32_t>(bytes_.size());
    std::memcpy(bytes_.data(), &length, sizeof length);
    const Socket socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
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
  void add(const void* data, std::size_t size) {
    const auto* const begin = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), begin, begin + size);
    bytes_.resize(NLA_ALIGN(bytes_.size()));
  }

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

/// What an attribute of that type holds; empty: there is none.
std::optional<Bytes> attribute_in(Bytes attributes, std::uint16_t type) {
  while (attributes.size() >= NLA_HDRLEN) {
    nlattr head{};
    std::memcpy(&head, attributes.data(), sizeof head);
    if (head.nla_len < NLA_HDRLEN || head.nla_len > attributes.size()) break;
    if ((head.nla_type & NLA_TYPE_MASK) == type)
      return attributes.subspan(NLA_HDRLEN, head.nla_len - std::size_t{NLA_HDRLEN});
    attributes = attributes.subspan(
        std::min(attributes.size(), static_cast<std::size_t>(NLA_ALIGN(head.nla_len))));
  }
  return std::nullopt;
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
  while (const auto entry = attribute_in(table, DCB_ATTR_IEEE_APP)) {
    const auto app = value_in<dcb_app>(entry);
    if (app && app->selector == IEEE_8021QAZ_APP_SEL_DSCP)
      found.emplace_back(app->protocol, app->priority);
    const auto used = static_cast<std::size_t>(entry->data() - table.data()) + entry->size();
    table = table.subspan(std::min(table.size(), static_cast<std::size_t>(NLA_ALIGN(used))));
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

void add_dcb(Recording& recording, const std::string& netdev) {
  dcbmsg fixed{};
  fixed.cmd = DCB_CMD_IEEE_GET;
  Request request(RTM_GETDCB, fixed);
  request.attribute(DCB_ATTR_IFNAME, netdev.c_str(), netdev.size() + 1);
  errno = 0;
  const auto reply = request.answered();
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

Settings dcb_settings(Bytes reply) {
  Settings settings;
  constexpr std::size_t kFixed = NLMSG_HDRLEN + NLMSG_ALIGN(sizeof(dcbmsg));
  if (reply.size() < kFixed) return settings;
  const Bytes attributes = reply.subspan(kFixed);
  if (const auto owner = value_in<std::uint8_t>(attribute_in(attributes, DCB_ATTR_DCBX)))
    settings["owner"] = (*owner & DCB_CAP_DCBX_LLD_MANAGED) != 0 ? "firmware" : "host";
  const auto ieee = attribute_in(attributes, DCB_ATTR_IEEE);
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

void add_kernel_answers(Recording& recording, const std::vector<std::string>& netdevs) {
  for (const std::string& netdev : netdevs) {
    add_dcb(recording, netdev);
    add_driver(recording, netdev);
    add_pause(recording, netdev);
    add_fec(recording, netdev);
    add_route(recording, netdev);
  }
  add_limit(recording, RLIMIT_MEMLOCK, "process/memlock");
  add_limit(recording, RLIMIT_NOFILE, "process/open-files");
  add_clock(recording);
}

}  // namespace railgauge::doctor

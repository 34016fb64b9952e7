#include "verbs/device.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <span>
#include <sstream>

#include "verbs/error.hpp"

namespace railgauge::verbs {
namespace {

constexpr const char* kSysfs = "/sys/class/infiniband";

/// libibverbs' list of devices; ibv_device pointers are valid while it lives.
class DeviceList {
 public:
  DeviceList() : raw_(ibv_get_device_list(&count_)), error_(raw_ == nullptr ? errno : 0) {}
  ~DeviceList() {
    if (raw_ != nullptr) ibv_free_device_list(raw_);
  }
  DeviceList(const DeviceList&) = delete;
  DeviceList& operator=(const DeviceList&) = delete;

  std::span<ibv_device*> devices() const { return {raw_, static_cast<std::size_t>(count_)}; }
  int error() const { return error_; }

 private:
  int count_ = 0;
  ibv_device** raw_;
  int error_;
};

std::string sysfs_words() {
  std::error_code error;
  const std::filesystem::directory_iterator entries(kSysfs, error);
  if (error)
    return std::string(kSysfs) + " does not exist: the kernel has no RDMA, or it is not loaded";
  const auto count = std::distance(begin(entries), end(entries));
  return std::string(kSysfs) + " has " + std::to_string(count) + " device(s)";
}

std::string library_words(const DeviceList& list) {
  std::string words = "libibverbs lists " + std::to_string(list.devices().size()) + " device(s)";
  if (list.error() != 0) words.append(" (").append(std::strerror(list.error())).append(")");
  return words;
}

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Cuts the run of digits, or of anything else, off the front of `text`.
std::string_view cut_run(std::string_view& text) {
  const bool digits = is_digit(text.front());
  const auto end =
      std::find_if(text.begin(), text.end(), [&](char c) { return is_digit(c) != digits; });
  const std::string_view run = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(run.size());
  return run;
}

/// As numbers of any length: without leading zeros, the longer is the larger.
bool number_less(std::string_view left, std::string_view right) {
  left.remove_prefix(std::min(left.find_first_not_of('0'), left.size()));
  right.remove_prefix(std::min(right.find_first_not_of('0'), right.size()));
  return left.size() != right.size() ? left.size() < right.size() : left < right;
}

/// Which member of the event's union is meant depends on its type; the objects are alive until the
/// event is acknowledged.
std::string subject(const ibv_async_event& event) {
  std::ostringstream text;
  switch (event.event_type) {
    case IBV_EVENT_QP_FATAL:
    case IBV_EVENT_QP_REQ_ERR:
    case IBV_EVENT_QP_ACCESS_ERR:
    case IBV_EVENT_COMM_EST:
    case IBV_EVENT_SQ_DRAINED:
    case IBV_EVENT_PATH_MIG:
    case IBV_EVENT_PATH_MIG_ERR:
    case IBV_EVENT_QP_LAST_WQE_REACHED:
      text << " queue pair 0x" << std::hex << event.element.qp->qp_num;
      break;
    case IBV_EVENT_PORT_ACTIVE:
    case IBV_EVENT_PORT_ERR:
    case IBV_EVENT_LID_CHANGE:
    case IBV_EVENT_PKEY_CHANGE:
    case IBV_EVENT_SM_CHANGE:
    case IBV_EVENT_CLIENT_REREGISTER:
    case IBV_EVENT_GID_CHANGE: text << " port " << event.element.port_num; break;
    default: break;
  }
  return text.str();
}

AsyncEvent read(const ibv_async_event& event, const char* device) {
  std::string text = device + subject(event) + ": ";
  const bool down = event.event_type == IBV_EVENT_PORT_ERR;
  return {.type = event.event_type,
          .lost_port = down ? event.element.port_num : 0,
          .words = text.append(words(event.event_type))};
}

}  // namespace

DeviceSearch search_devices() {
  const DeviceList list;
  DeviceSearch search{.names = {}, .looked_at = library_words(list) + "; " + sysfs_words()};
  for (ibv_device* device : list.devices()) search.names.emplace_back(ibv_get_device_name(device));
  std::sort(search.names.begin(), search.names.end(), natural_less);
  return search;
}

Context open_device(const std::string& name) {
  const DeviceList list;
  if (list.error() != 0) fail(list.error(), "ibv_get_device_list, for " + name);
  const auto devices = list.devices();
  const auto found = std::find_if(devices.begin(), devices.end(), [&](ibv_device* device) {
    return name == ibv_get_device_name(device);
  });
  if (found == devices.end()) fail(ENODEV, "finding RDMA device " + name);
  Context context(created(ibv_open_device(*found), "ibv_open_device", name));
  make_non_blocking(context->async_fd, "async_fd", context->device->name);
  return context;
}

ibv_device_attr limits_of(ibv_context& context) {
  ibv_device_attr limits{};
  succeeded(ibv_query_device(&context, &limits), "ibv_query_device", context.device->name);
  return limits;
}

ProtectionDomain allocate_domain(ibv_context& context) {
  return ProtectionDomain(created(ibv_alloc_pd(&context), "ibv_alloc_pd", context.device->name));
}

std::string device_name(const ibv_context& context) {
  return context.device->name;
}

bool natural_less(std::string_view left, std::string_view right) {
  while (!left.empty() && !right.empty()) {
    const std::string_view a = cut_run(left);
    const std::string_view b = cut_run(right);
    if (a == b) continue;
    const bool numbers = is_digit(a.front()) && is_digit(b.front());
    if (numbers && (number_less(a, b) || number_less(b, a))) return number_less(a, b);
    return a < b;
  }
  return left.size() < right.size();
}

void report_leak(const char* what, int error) noexcept {
  // ibv_close_device alone answers -1 and leaves the reason in errno.
  const int reason = error > 0 ? error : errno;
  std::fprintf(stderr, "verbs: cannot destroy the %s: %s\n", what, std::strerror(reason));
}

std::vector<AsyncEvent> take_async_events(ibv_context& context) {
  std::vector<AsyncEvent> events;
  ibv_async_event event{};
  while (ibv_get_async_event(&context, &event) == 0) {
    events.push_back(read(event, context.device->name));
    // Destroying what the event is about waits for this.
    ibv_ack_async_event(&event);
  }
  if (errno != EAGAIN) answered(-1, "ibv_get_async_event", context.device->name);
  return events;
}

}  // namespace railgauge::verbs

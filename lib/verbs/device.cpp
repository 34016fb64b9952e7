#include "verbs/device.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <span>

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

void make_events_non_blocking(const ibv_context& context) {
  const int flags = fcntl(context.async_fd, F_GETFL);
  answered(flags, "fcntl(F_GETFL) of async_fd", context.device->name);
  answered(fcntl(context.async_fd, F_SETFL, flags | O_NONBLOCK), "fcntl(F_SETFL) of async_fd",
           context.device->name);
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
  make_events_non_blocking(*context);
  return context;
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

}  // namespace railgauge::verbs

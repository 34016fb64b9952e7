#include "verbs/udp_source_port.hpp"

#include <dlfcn.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace railgauge::verbs {

SourcePortCall::SourcePortCall(const std::string& library)
    : library_(::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (library_ == nullptr) return;
  call_ = reinterpret_cast<int (*)(ibv_qp*, std::uint16_t)>(
      ::dlsym(library_.get(), "mlx5dv_modify_qp_udp_sport"));
}

void SourcePortCall::Close::operator()(void* library) const noexcept {
  ::dlclose(library);
}

int SourcePortCall::operator()(ibv_qp& pair, std::uint16_t port) const noexcept {
  return found() ? call_(&pair, port) : EOPNOTSUPP;
}

bool is_mlx5(const ibv_device& device) {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::path driver = fs::read_symlink(fs::path(device.ibdev_path) / "device/driver", none);
  return driver.filename().string().starts_with("mlx5_core");
}

SourcePort set_source_port(ibv_qp& pair, std::uint32_t flow_label) {
  if (flow_label == 0) return SourcePort::by_driver;
  if (!is_mlx5(*pair.context->device)) return SourcePort::assumed;
  static const SourcePortCall call;  // libibverbs has loaded the library: the device is open
  const int error = call(pair, ibv_flow_label_to_udp_sport(flow_label));
  return error == 0 ? SourcePort::set : SourcePort::assumed;
}

}  // namespace railgauge::verbs

// Devices and contexts.

#include <arpa/inet.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <system_error>

#include "softroce/verbs/calls.hpp"
#include "softroce/verbs/objects.hpp"

namespace railgauge::softroce {

namespace {

std::vector<ibv_device*> make_devices() {
  std::vector<ibv_device*> list;
  for (int rail = 0; rail < Engine::settings().rails; ++rail) {
    auto* device =
        new Device;  // NOLINT(cppcoreguidelines-owning-memory): lives as long as the process
    device->rail = rail;
    device->node_type = IBV_NODE_CA;
    device->transport_type = IBV_TRANSPORT_IB;
    const std::string name = device_name(rail);
    std::snprintf(device->name, sizeof device->name, "%s", name.c_str());
    std::snprintf(device->dev_name, sizeof device->dev_name, "uverbs_%s", name.c_str());
    std::snprintf(device->dev_path, sizeof device->dev_path,
                  "/sys/class/infiniband_verbs/uverbs_%s", name.c_str());
    std::snprintf(device->ibdev_path, sizeof device->ibdev_path, "/sys/class/infiniband/%s",
                  name.c_str());
    list.push_back(device);
  }
  return list;
}

/// The same function, but null with ENOMEM where it would throw for lack of memory: it is called by
/// programs in C.
template <auto function, class... Arguments>
auto or_no_memory(Arguments... arguments) -> decltype(function(arguments...)) {
  try {
    return function(arguments...);
  } catch (const std::bad_alloc&) {
    return refuse(ENOMEM);
  }
}

const char* remedy_for(int error) {
  switch (error) {
    case EMFILE:
      return " (EMFILE: this process has no file descriptor left; raise its limit, ulimit -n, or "
             "close some)";
    case ENFILE: return " (ENFILE: this system has no file descriptor left; raise fs.file-max)";
    default: return "";
  }
}

std::uint32_t low_bytes(const Address& address) {
  std::uint32_t low = 0;
  for (std::size_t i = 12; i < 16; ++i) low = (low << 8) | address.bytes[i];
  return low;
}

/// Not 0. Processes have numbers below 2^22 (PID_MAX_LIMIT), and no address of a device begins
/// with 128 or more before it is opened.
std::uint32_t low_guid(int index) {
  const auto& rail = Engine::of(index).rail(index);
  const auto& addresses = Engine::settings().addresses;
  if (rail.port) return low_bytes(rail.port->address);
  if (!addresses.empty()) return low_bytes(addresses[static_cast<std::size_t>(index)]);
  constexpr std::uint32_t kByProcess = 1U << 31;
  return kByProcess | static_cast<std::uint32_t>(index) << 22 |
         static_cast<std::uint32_t>(getpid());
}

}  // namespace

int complain(const char* what, const std::exception& error) {
  const auto* system = dynamic_cast<const std::system_error*>(&error);
  const int number = system == nullptr ? ENODEV : system->code().value();
  std::fprintf(stderr, "softroce: %s: %s%s\n", what, error.what(), remedy_for(number));
  return number;
}

void set_operations(Context& context) {
  ibv_context& verbs = context.context;
  verbs.ops.alloc_mw = or_no_memory<alloc_mw>;
  verbs.ops.bind_mw = bind_mw;
  verbs.ops.dealloc_mw = dealloc_mw;
  verbs.ops.poll_cq = poll_cq;
  verbs.ops.req_notify_cq = req_notify_cq;
  verbs.ops.post_srq_recv = post_srq_recv;
  verbs.ops.post_send = post_send;
  verbs.ops.post_recv = post_recv;
  context.sz = sizeof(verbs_context);
  context.create_cq_ex = or_no_memory<create_cq_ex>;
  context.modify_cq = modify_cq;
  context.create_srq_ex = or_no_memory<create_srq_ex>;
  context.create_qp_ex = or_no_memory<create_qp_ex>;
  context.query_device_ex = query_device_ex;
  context.query_rt_values = query_rt_values;
  context.query_port = [](ibv_context* of, std::uint8_t port, ibv_port_attr* attributes,
                          std::size_t bytes) {
    ibv_port_attr all{};
    const int error = calls::query_port(of, port, &all);
    if (error == 0) std::memcpy(attributes, &all, std::min(bytes, sizeof all));
    return error;
  };
  verbs.abi_compat = __VERBS_ABI_IS_EXTENDED;
}

namespace calls {

namespace {

std::atomic<int> why_no_devices = 0;

}  // namespace

int devices_error() {
  return why_no_devices;
}

std::span<ibv_device* const> devices() {
  static const auto& kDevices = *[] {
    // NOLINTBEGIN(cppcoreguidelines-owning-memory): as long as the process, like its devices, which
    // the program's own destructors may still ask for
    try {
      return new std::vector<ibv_device*>(make_devices());
    } catch (const std::exception& error) {
      why_no_devices = complain("there are no soft devices", error);
      return new std::vector<ibv_device*>;
    }
    // NOLINTEND(cppcoreguidelines-owning-memory)
  }();
  return kDevices;
}

bool ours(const ibv_device* device) {
  // Real device names are the kernel's; only ours has this uverbs name, which no kernel makes.
  return std::strncmp(device->dev_name, "uverbs_soft", 11) == 0;
}

bool ours(const ibv_context* context) {
  return context->ops.post_send == post_send;
}

ibv_context* open_device(ibv_device* device) {
  try {
    const int number = device_of(device).rail;
    Engine& engine = Engine::of(number);
    Rail& rail = engine.open(number);
    auto context = std::make_unique<Context>();
    context->engine = &engine;
    context->port = rail.port.get();
    set_operations(*context);
    context->context.device = device;
    context->context.async_fd = context->events.signal.descriptor();
    // There is no device file; programs set flags of this descriptor and duplicate it all the same.
    context->context.cmd_fd = context->context.async_fd;
    context->context.num_comp_vectors = 1;
    pthread_mutex_init(&context->context.mutex, nullptr);
    const Engine::Lock lock(engine);
    rail.port->contexts.push_back(context.get());
    return &context.release()->context;
  } catch (const std::exception& error) {
    return refuse(complain(device->name, error));
  }
}

int close_device(ibv_context* context) {
  std::unique_ptr<Context> owner(&context_of(context));
  const Engine::Lock lock(*owner->engine);
  std::erase(owner->port->contexts, owner.get());
  // What the program left alive may still raise events in it, or be destroyed later.
  if (owner->objects != 0) static_cast<void>(owner.release());
  return 0;
}

// Locally administered, as no vendor gave it: 02. Like a GID it must differ between processes, and
// the address does. It is not known before the device is opened, if none was named; but what has
// been told once stays, as librdmacm and others know a device by it: then it is the process.
__be64 device_guid(ibv_device* device) {
  Device& own = device_of(device);
  std::uint32_t told = own.told_guid.load();
  if (told == 0) own.told_guid.compare_exchange_strong(told, low_guid(own.rail));
  return htobe64(0x02005eff00000000ULL | own.told_guid.load());
}

int device_index(ibv_device* device) {
  // The kernel counts from 0; ours begin where no kernel gets.
  constexpr int kFirst = 1 << 20;
  return kFirst + device_of(device).rail;
}

}  // namespace calls
}  // namespace railgauge::softroce

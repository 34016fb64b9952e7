// A program that is not linked with libibverbs and uses it as NCCL does: loaded by a name,
// functions by name and version, and devices also looked at in /sys. usage: verbs_loader FILE...
// loads libibverbs by each of these names: a line for each
//        verbs_loader --plugin FILE    loads a library that is linked with libibverbs,
//        RTLD_DEEPBIND
#include <dlfcn.h>
#include <infiniband/verbs.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

#undef ibv_get_device_list
#undef ibv_query_port

namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what);
}

void* load(const char* file, int flags) {
  void* const library = dlopen(file, RTLD_NOW | flags);
  if (library == nullptr) fail(dlerror());
  return library;
}

template <class Function>
Function* find(void* library, const char* name, const char* version) {
  void* const symbol = dlvsym(library, name, version);
  if (symbol == nullptr) fail(std::string("there is no ") + name + " of " + version);
  return reinterpret_cast<Function*>(symbol);
}

struct Verbs {
  explicit Verbs(void* loaded) : library(loaded) {}
  void* library;
// NOLINTBEGIN(bugprone-macro-parentheses): a declaration
#define VERB(name, version) \
  decltype(ibv_##name)* name = find<decltype(ibv_##name)>(library, "ibv_" #name, version)
  VERB(get_device_list, "IBVERBS_1.1");
  VERB(free_device_list, "IBVERBS_1.1");
  VERB(get_device_name, "IBVERBS_1.1");
  VERB(open_device, "IBVERBS_1.1");
  VERB(close_device, "IBVERBS_1.1");
  VERB(query_device, "IBVERBS_1.1");
  VERB(query_port, "IBVERBS_1.1");
  VERB(query_gid, "IBVERBS_1.1");
  VERB(reg_mr_iova2, "IBVERBS_1.8");
  VERB(query_ece, "IBVERBS_1.10");
  VERB(event_type_str, "IBVERBS_1.1");  // of the machine's own library, in any case
#undef VERB
  // NOLINTEND(bugprone-macro-parentheses)
  using Speed = int(ibv_context*, std::uint32_t, std::uint64_t*);  // newer than some rdma-core
  Speed* query_port_speed = find<Speed>(library, "ibv_query_port_speed", "IBVERBS_1.16");
};

std::string real_path(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(realpath(path.c_str(), nullptr), std::free);
  if (!real) fail("could not find the real path of " + path);
  return real.get();
}

std::string line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) fail("cannot read " + path);
  return line;
}

bool is_ipv4(const ibv_gid& gid) {
  const std::uint8_t prefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return std::memcmp(gid.raw, prefix, sizeof prefix) == 0;
}

/// The first RoCE v2 GID of an IPv4 address: NCCL's choice unless it is told another.
int choose_gid(const Verbs& verbs, ibv_context* context, const std::string& port, int gids) {
  for (int index = 0; index < gids; ++index) {
    ibv_gid gid{};
    if (verbs.query_gid(context, 1, index, &gid) != 0) fail("ibv_query_gid");
    const std::string type = line_of(port + "/gid_attrs/types/" + std::to_string(index));
    if (type == "RoCE v2" && is_ipv4(gid)) return index;
  }
  fail("no GID is RoCE v2 over IPv4");
}

void describe(const Verbs& verbs, ibv_context* context, const std::string& name) {
  const std::string folder = "/sys/class/infiniband/" + name;
  ibv_device_attr device{};
  if (verbs.query_device(context, &device) != 0) fail("ibv_query_device");
  ibv_port_attr port{};
  if (verbs.query_port(context, 1, reinterpret_cast<_compat_ibv_port_attr*>(&port)) != 0) {
    fail("ibv_query_port");
  }
  std::uint64_t speed = 0;
  if (verbs.query_port_speed(context, 1, &speed) != 0) fail("ibv_query_port_speed");
  std::printf("%s %s %s, %s, %d Mb/s, GID %d\n", name.c_str(),
              real_path(folder + "/device").c_str(),
              port.state == IBV_PORT_ACTIVE ? "active" : "down",
              line_of(folder + "/ports/1/rate").c_str(), static_cast<int>(speed * 100),
              choose_gid(verbs, context, folder + "/ports/1", port.gid_tbl_len));
}

void use(const char* file) {
  const Verbs verbs(load(file, 0));
  int number = 0;
  ibv_device** const devices = verbs.get_device_list(&number);
  if (number == 0) fail("there are no devices");
  ibv_context* const context = verbs.open_device(devices[0]);
  if (context == nullptr) fail("ibv_open_device");
  describe(verbs, context, verbs.get_device_name(devices[0]));
  verbs.close_device(context);
  verbs.free_device_list(devices);
}

void use_plugin(const char* file) {
  void* const plugin = load(file, RTLD_DEEPBIND);
  void* const first_device = dlsym(plugin, "first_device");
  if (first_device == nullptr) fail(dlerror());
  std::puts(reinterpret_cast<const char* (*)()>(first_device)());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::strcmp(argv[1], "--plugin") == 0) {
      use_plugin(argv[2]);
    } else {
      for (int i = 1; i < argc; ++i) use(argv[i]);
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "verbs_loader: %s\n", error.what());
    return 1;
  }
}

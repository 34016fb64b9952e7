// Two queue pairs of one process, and two memories: of the host, of a memfd or of a GPU, by
// whatever CUDA driver there is. dmabuf_test runs it, on a GPU that is none and with all that
// softroce can be told. usage: dmabuf_exchange FROM TO     WRITE, SEND, READ and an atomic;
// contents are compared
//        dmabuf_exchange gpu freed   a WRITE of memory that the program has freed
//        dmabuf_exchange gpu inline  what sending it inline fails with
//        dmabuf_exchange FROM        what registering 2 MiB fails with
// FROM, TO: host, memfd, gpu

#include <dlfcn.h>
#include <infiniband/verbs.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t kBytes = std::size_t{3} << 20;
constexpr std::size_t kSkew = 40;  // in the middle of a page
constexpr std::uint32_t kMessage = 2 * 1024 * 1024 + 5;
constexpr int kEverything = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
                            IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;

void require(bool condition, const char* what) {
  if (condition) return;
  std::perror(what);
  std::exit(2);
}

unsigned char shade(std::size_t place) {
  return static_cast<unsigned char>(place * 7 + place / 251);
}

/// What verbs are told of it, and how the program itself gets at it.
class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  virtual ~Memory() = default;
  virtual ibv_mr* add_to(ibv_pd* domain, std::size_t bytes) = 0;
  virtual std::uint64_t address() const = 0;
  virtual void set(std::size_t offset, const void* from, std::size_t bytes) = 0;
  virtual void get(std::size_t offset, void* to, std::size_t bytes) = 0;
};

class HostMemory final : public Memory {
 public:
  ibv_mr* add_to(ibv_pd* domain, std::size_t bytes) override {
    return ibv_reg_mr(domain, bytes_.data(), bytes, kEverything);
  }
  std::uint64_t address() const override { return reinterpret_cast<std::uintptr_t>(bytes_.data()); }
  void set(std::size_t offset, const void* from, std::size_t bytes) override {
    std::memcpy(&bytes_[offset], from, bytes);
  }
  void get(std::size_t offset, void* to, std::size_t bytes) override {
    std::memcpy(to, &bytes_[offset], bytes);
  }

 private:
  std::vector<unsigned char> bytes_ = std::vector<unsigned char>(kBytes);
};

class FileMemory final : public Memory {
 public:
  FileMemory() { require(ftruncate(file_, kBytes) == 0, "memfd"); }
  ~FileMemory() override { close(file_); }
  FileMemory(const FileMemory&) = delete;
  FileMemory& operator=(const FileMemory&) = delete;
  ibv_mr* add_to(ibv_pd* domain, std::size_t bytes) override {
    const int file = dup(file_);
    ibv_mr* const region = ibv_reg_dmabuf_mr(domain, 0, bytes, address(), file, kEverything);
    const int error = errno;
    close(file);
    errno = error;
    return region;
  }
  std::uint64_t address() const override { return std::uint64_t{0x600000000000}; }
  void set(std::size_t offset, const void* from, std::size_t bytes) override {
    require(pwrite(file_, from, bytes, static_cast<off_t>(offset)) > 0, "pwrite");
  }
  void get(std::size_t offset, void* to, std::size_t bytes) override {
    require(pread(file_, to, bytes, static_cast<off_t>(offset)) > 0, "pread");
  }

 private:
  int file_ = memfd_create("memory", MFD_CLOEXEC);
};

/// The driver's functions, by the types of its ABI.
class Cuda {
 public:
  Cuda() {
    void* device_context = nullptr;
    require(find<int(unsigned)>("cuInit")(0) == 0, "cuInit");
    require(find<int(void**, int)>("cuDevicePrimaryCtxRetain")(&device_context, 0) == 0, "context");
    require(set_current_(device_context) == 0, "cuCtxSetCurrent");
    context_ = device_context;
  }
  ~Cuda() { find<int(int)>("cuDevicePrimaryCtxRelease_v2")(0); }
  Cuda(const Cuda&) = delete;
  Cuda& operator=(const Cuda&) = delete;

  std::uint64_t allocate(std::size_t bytes) {
    std::uint64_t address = 0;
    const auto allocate = find<int(std::uint64_t*, std::size_t)>("cuMemAlloc_v2");
    require(allocate(&address, bytes) == 0, "cuMemAlloc");
    return address;
  }
  void release(std::uint64_t address) { find<int(std::uint64_t)>("cuMemFree_v2")(address); }
  int file_of(std::uint64_t address, std::size_t bytes) {
    int file = -1;
    constexpr int kDmabuf = 1;  // CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD
    const auto handle = find<int(void*, std::uint64_t, std::size_t, int, unsigned long long)>(
        "cuMemGetHandleForAddressRange");
    require(handle(&file, address, bytes, kDmabuf, 0) == 0, "cuMemGetHandleForAddressRange");
    return file;
  }
  void copy(std::uint64_t to, std::uint64_t from, std::size_t bytes) {
    require(set_current_(context_) == 0 && copy_(to, from, bytes) == 0, "cuMemcpy");
  }
  /// Of the driver that is none: what was made and not released.
  int live() {
    auto* const count = reinterpret_cast<int (*)()>(dlsym(library_, "fake_gpu_live"));
    return count == nullptr ? 0 : count();
  }
  void* current() {
    void* context = nullptr;
    find<int(void**)>("cuCtxGetCurrent")(&context);
    return context;
  }
  void* context() const { return context_; }

 private:
  template <class Function>
  Function* find(const char* name) {
    require(library_ != nullptr, "libcuda.so.1");
    auto* const found = reinterpret_cast<Function*>(dlsym(library_, name));
    require(found != nullptr, name);
    return found;
  }
  void* library_ = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  int (*set_current_)(void*) = find<int(void*)>("cuCtxSetCurrent");
  int (*copy_)(std::uint64_t, std::uint64_t,
               std::size_t) = find<int(std::uint64_t, std::uint64_t, std::size_t)>("cuMemcpy");
  void* context_ = nullptr;
};

class GpuMemory final : public Memory {
 public:
  explicit GpuMemory(Cuda& cuda) : cuda_(cuda) {}
  ~GpuMemory() override { release(); }
  GpuMemory(const GpuMemory&) = delete;
  GpuMemory& operator=(const GpuMemory&) = delete;
  void release() {
    if (address_ != 0) cuda_.release(address_);
    address_ = 0;
  }
  ibv_mr* add_to(ibv_pd* domain, std::size_t bytes) override {
    const int file = cuda_.file_of(address_, kBytes);
    ibv_mr* const region = ibv_reg_dmabuf_mr(domain, 0, bytes, address_, file, kEverything);
    const int error = errno;
    close(file);
    errno = error;
    return region;
  }
  std::uint64_t address() const override { return address_; }
  void set(std::size_t offset, const void* from, std::size_t bytes) override {
    cuda_.copy(address_ + offset, reinterpret_cast<std::uintptr_t>(from), bytes);
  }
  void get(std::size_t offset, void* to, std::size_t bytes) override {
    cuda_.copy(reinterpret_cast<std::uintptr_t>(to), address_ + offset, bytes);
  }

 private:
  Cuda& cuda_;
  std::uint64_t address_ = cuda_.allocate(kBytes);
};

class Device {
 public:
  Device() {
    ibv_device** const devices = ibv_get_device_list(nullptr);
    for (ibv_device** one = devices; one != nullptr && *one != nullptr; ++one) {
      if (std::string(ibv_get_device_name(*one)) == "soft0") context = ibv_open_device(*one);
    }
    ibv_free_device_list(devices);
    require(context != nullptr, "soft0");
    domain = ibv_alloc_pd(context);
  }
  ~Device() {
    require(ibv_dealloc_pd(domain) == 0, "domain");
    require(ibv_close_device(context) == 0, "device");
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ibv_context* context = nullptr;
  ibv_pd* domain = nullptr;
};

class End {
 public:
  End(Device& device, Memory& its_memory) : device_(device), memory(its_memory) {
    region = memory.add_to(device.domain, kBytes);
    require(region != nullptr, "registration");
    queue = ibv_create_cq(device.context, 16, nullptr, nullptr, 0);
    ibv_qp_init_attr init{};
    init.send_cq = init.recv_cq = queue;
    init.qp_type = IBV_QPT_RC;
    init.cap = {8, 8, 3, 3, 16};
    qp = ibv_create_qp(device.domain, &init);
    require(qp != nullptr, "queue pair");
  }
  ~End() {
    require(ibv_destroy_qp(qp) == 0 && ibv_destroy_cq(queue) == 0, "queue pair");
    require(ibv_dereg_mr(region) == 0, "region");
  }
  End(const End&) = delete;
  End& operator=(const End&) = delete;

  void connect(const End& to) const {
    ibv_qp_attr attributes{};
    attributes.qp_state = IBV_QPS_INIT;
    attributes.port_num = 1;
    attributes.qp_access_flags = kEverything;
    change(attributes, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
    attributes.qp_state = IBV_QPS_RTR;
    attributes.path_mtu = IBV_MTU_4096;
    attributes.dest_qp_num = to.qp->qp_num;
    attributes.max_dest_rd_atomic = attributes.max_rd_atomic = 4;
    attributes.ah_attr.is_global = 1;
    attributes.ah_attr.port_num = 1;
    attributes.ah_attr.grh.hop_limit = 64;
    require(ibv_query_gid(device_.context, 1, 0, &attributes.ah_attr.grh.dgid) == 0, "gid");
    change(attributes, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                           IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
    attributes.qp_state = IBV_QPS_RTS;
    attributes.timeout = 14;
    attributes.retry_cnt = attributes.rnr_retry = 7;
    change(attributes, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                           IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC);
  }

  ibv_wc_status wait() const {
    ibv_wc wc{};
    while (ibv_poll_cq(queue, 1, &wc) == 0) {
    }
    return wc.status;
  }
  ibv_sge piece(std::size_t offset, std::uint32_t bytes) const {
    return {memory.address() + offset, bytes, region->lkey};
  }
  /// Of three pieces, which lie one after the other.
  ibv_wc_status request(ibv_wr_opcode opcode, const End& to, std::size_t offset,
                        std::uint32_t bytes) const {
    const std::uint32_t a = bytes / 5, b = bytes / 3;
    std::array<ibv_sge, 3> pieces{piece(offset, a), piece(offset + a, b),
                                  piece(offset + a + b, bytes - a - b)};
    ibv_send_wr wr{};
    wr.sg_list = pieces.data();
    wr.num_sge = opcode == IBV_WR_ATOMIC_FETCH_AND_ADD ? 1 : 3;
    if (wr.num_sge == 1) pieces[0].length = bytes;
    wr.opcode = opcode;
    wr.send_flags = IBV_SEND_SIGNALED;
    wr.wr.rdma = {to.memory.address() + offset, to.region->rkey};
    if (wr.num_sge == 1) wr.wr.atomic = {to.memory.address() + offset, 2, 0, to.region->rkey};
    ibv_send_wr* bad = nullptr;
    require(ibv_post_send(qp, &wr, &bad) == 0, "post");
    return wait();
  }
  void receive(std::size_t offset, std::uint32_t bytes) const {
    ibv_sge one = piece(offset, bytes);
    ibv_recv_wr wr{1, nullptr, &one, 1};
    ibv_recv_wr* bad = nullptr;
    require(ibv_post_recv(qp, &wr, &bad) == 0, "receive");
  }

 private:
  void change(ibv_qp_attr& attributes, int mask) const {
    require(ibv_modify_qp(qp, &attributes, mask) == 0, "modify");
  }
  Device& device_;

 public:
  Memory& memory;
  ibv_mr* region = nullptr;
  ibv_cq* queue = nullptr;
  ibv_qp* qp = nullptr;
};

std::vector<unsigned char> shades(std::size_t first, std::size_t bytes) {
  std::vector<unsigned char> all(bytes);
  for (std::size_t i = 0; i < bytes; ++i) all[i] = shade(first + i);
  return all;
}

/// Exactly these bytes, and none around them.
bool has(Memory& memory, std::size_t offset, const std::vector<unsigned char>& expected) {
  std::vector<unsigned char> found(expected.size() + 2);
  memory.get(offset - 1, found.data(), found.size());
  return std::memcmp(&found[1], expected.data(), expected.size()) == 0 && found.front() == 0 &&
         found.back() == 0;
}

void clear(Memory& memory) {
  const std::vector<unsigned char> zeros(kBytes);
  memory.set(0, zeros.data(), kBytes);
}

void say(const char* what, ibv_wc_status status, bool same) {
  std::printf("%s %s%s\n", what, ibv_wc_status_str(status),
              same ? "" : ", but the content is wrong");
}

void exchange(const End& from, const End& to) {
  clear(from.memory);
  clear(to.memory);
  auto data = shades(1, kMessage);
  from.memory.set(kSkew, data.data(), kMessage);
  auto status = from.request(IBV_WR_RDMA_WRITE, to, kSkew, kMessage);
  say("write", status, has(to.memory, kSkew, data));
  if (status != IBV_WC_SUCCESS) return;

  clear(to.memory);
  data = shades(2, kMessage);
  from.memory.set(kSkew, data.data(), kMessage);
  to.receive(kSkew, kMessage);
  status = from.request(IBV_WR_SEND, to, kSkew, kMessage);
  const bool received = to.wait() == IBV_WC_SUCCESS;
  say("send", status, received && has(to.memory, kSkew, data));

  clear(from.memory);
  data = shades(3, kMessage);
  to.memory.set(kSkew, data.data(), kMessage);
  status = from.request(IBV_WR_RDMA_READ, to, kSkew, kMessage);
  say("read", status, has(from.memory, kSkew, data));

  std::uint64_t value = 40;
  to.memory.set(64, &value, sizeof value);
  status = from.request(IBV_WR_ATOMIC_FETCH_AND_ADD, to, 64, sizeof value);
  std::uint64_t before = 0;
  from.memory.get(64, &before, sizeof before);
  to.memory.get(64, &value, sizeof value);
  say("add", status, before == 40 && value == 42);
}

void freed(const End& from, const End& to, GpuMemory& memory) {
  ibv_sge one = from.piece(0, 4096);
  memory.release();
  ibv_send_wr wr{};
  wr.sg_list = &one;
  wr.num_sge = 1;
  wr.opcode = IBV_WR_RDMA_WRITE;
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.wr.rdma = {to.memory.address(), to.region->rkey};
  ibv_send_wr* bad = nullptr;
  require(ibv_post_send(from.qp, &wr, &bad) == 0, "post");
  std::printf("write %s\n", ibv_wc_status_str(from.wait()));
}

void inlined(const End& from) {
  ibv_sge one = from.piece(0, 8);
  ibv_send_wr wr{};
  wr.sg_list = &one;
  wr.num_sge = 1;
  wr.opcode = IBV_WR_SEND;
  wr.send_flags = IBV_SEND_INLINE;
  ibv_send_wr* bad = nullptr;
  std::printf("inline %s\n", strerrorname_np(ibv_post_send(from.qp, &wr, &bad)));
}

void registration(Device& device, Memory& memory) {
  ibv_mr* const region = memory.add_to(device.domain, std::size_t{2} << 20);
  std::printf("%s\n", region == nullptr ? strerrorname_np(errno) : "registered");
  if (region != nullptr) ibv_dereg_mr(region);
}

std::unique_ptr<Memory> memory_of(const std::string& kind, std::unique_ptr<Cuda>& cuda) {
  if (kind == "host") return std::make_unique<HostMemory>();
  if (kind == "memfd") return std::make_unique<FileMemory>();
  if (cuda == nullptr) cuda = std::make_unique<Cuda>();
  return std::make_unique<GpuMemory>(*cuda);
}

void run(const std::string& from_kind, const std::string& what, std::unique_ptr<Cuda>& cuda) {
  const auto one = memory_of(from_kind, cuda);
  Device device;
  if (what.empty()) return registration(device, *one);
  const bool exchanges = what == "host" || what == "memfd" || what == "gpu";
  const auto other = memory_of(exchanges ? what : "host", cuda);
  const End from(device, *one);
  const End to(device, *other);
  from.connect(to);
  to.connect(from);
  if (std::getenv("SOFTROCE_SHORTCUT") != nullptr) usleep(200000);  // until they have met
  if (exchanges) exchange(from, to);
  if (what == "freed") freed(from, to, dynamic_cast<GpuMemory&>(*one));
  if (what == "inline") inlined(from);
}

}  // namespace

int main(int argc, char** argv) {
  require(argc == 2 || argc == 3, "usage: dmabuf_exchange FROM [TO]");
  alarm(60);
  std::unique_ptr<Cuda> cuda;
  run(argv[1], argc == 3 ? argv[2] : "", cuda);
  if (cuda == nullptr) return 0;
  if (cuda->current() != cuda->context()) std::printf("another context is current\n");
  const int live = cuda->live() - 1;  // without this program's context
  if (live > 0) std::printf("%d objects of the driver were left\n", live);
  return 0;
}

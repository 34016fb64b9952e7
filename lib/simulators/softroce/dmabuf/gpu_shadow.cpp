#include "softroce/dmabuf/gpu_shadow.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "softroce/dmabuf/gpu_driver.hpp"

namespace railgauge::softroce {

namespace {

/// The context that the memory belongs to. Memory of the driver's virtual address management
/// belongs to a device; the device's primary context serves for it.
class MemoryContext {
 public:
  MemoryContext(const GpuDriver& driver, GpuDriver::Address address) : driver_(driver) {
    driver.pointer_attribute(&context_, GpuDriver::kContext, address);
    if (context_ != nullptr || driver.retain_primary_context == nullptr) return;
    int device = 0;
    if (driver.pointer_attribute(&device, GpuDriver::kDeviceOrdinal, address) != 0) return;
    if (driver.retain_primary_context(&context_, device) == 0) retained_ = device;
  }
  void release() const {
    if (retained_ >= 0 && driver_.release_primary_context != nullptr) {
      driver_.release_primary_context(retained_);
    }
  }
  GpuDriver::Context get() const { return context_; }

 private:
  const GpuDriver& driver_;
  GpuDriver::Context context_ = nullptr;
  int retained_ = -1;
};

class GpuShadow final : public Shadow {
 public:
  GpuShadow(const GpuDriver& driver, GpuDriver::Address address, std::size_t length)
      : driver_(driver), address_(address), length_(length), context_(driver, address) {}
  ~GpuShadow() override;
  GpuShadow(const GpuShadow&) = delete;
  GpuShadow& operator=(const GpuShadow&) = delete;

  /// 0, or the driver's error.
  int allocate();

  std::byte* bytes() const override { return static_cast<std::byte*>(bytes_); }
  std::size_t length() const override { return length_; }
  bool start(Copy direction, std::uint64_t offset, std::size_t length) override;
  bool finish() override;

 private:
  bool succeeded(int status, const char* what);

  const GpuDriver& driver_;
  GpuDriver::Address address_;
  std::size_t length_;
  MemoryContext context_;
  GpuDriver::Stream stream_ = nullptr;
  void* bytes_ = nullptr;
  pid_t process_ = getpid();
  bool said_ = false;
};

int GpuShadow::allocate() {
  const CurrentContext current(driver_, context_.get());
  if (current.status() != 0) return current.status();
  if (const int error = driver_.create_stream(&stream_, GpuDriver::kNonBlocking)) return error;
  return driver_.allocate_host(&bytes_, length_, GpuDriver::kPortable);
}

GpuShadow::~GpuShadow() {
  if (getpid() != process_) return;  // the driver does not work in a child of fork()
  {
    const CurrentContext current(driver_, context_.get());
    if (stream_ != nullptr) {
      driver_.synchronize(stream_);
      driver_.destroy_stream(stream_);
    }
    if (bytes_ != nullptr) driver_.free_host(bytes_);
  }
  context_.release();
}

bool GpuShadow::succeeded(int status, const char* what) {
  if (status == 0) return true;
  if (said_ || status == GpuDriver::kDeinitialized) return false;  // that is how a process ends
  said_ = true;
  std::fprintf(
      stderr,
      "softroce: GPU memory at 0x%llx, %zu bytes: %s failed (%s, %d); requests that use it "
      "fail. Deregister memory before you free it\n",
      static_cast<unsigned long long>(address_), length_, what, driver_.text_of(status), status);
  return false;
}

bool GpuShadow::start(Copy direction, std::uint64_t offset, std::size_t length) {
  const CurrentContext current(driver_, context_.get());
  if (!succeeded(current.status(), "entering its context")) return false;
  if (direction == Copy::from_device) {
    return succeeded(driver_.to_host(bytes() + offset, address_ + offset, length, stream_),
                     "copying from it");
  }
  return succeeded(driver_.to_device(address_ + offset, bytes() + offset, length, stream_),
                   "copying to it");
}

bool GpuShadow::finish() {
  const CurrentContext current(driver_, context_.get());
  return succeeded(current.status(), "entering its context") &&
         succeeded(driver_.synchronize(stream_), "a copy from or to it");
}

}  // namespace

std::unique_ptr<Shadow> gpu_shadow(std::uint64_t address, std::size_t length, int& error) {
  error = EOPNOTSUPP;
  const GpuDriver* const driver = length == 0 ? nullptr : driver_of(address);
  if (driver == nullptr) return nullptr;
  auto shadow = std::make_unique<GpuShadow>(*driver, address, length);
  const int status = shadow->allocate();
  if (status == 0) return shadow;
  error = ENOMEM;
  std::fprintf(stderr,
               "softroce: GPU memory of %zu bytes cannot be registered: a soft device copies it "
               "through as much pinned host memory, and the GPU's driver gave none (%s, %d)\n",
               length, driver->text_of(status), status);
  return nullptr;
}

}  // namespace railgauge::softroce

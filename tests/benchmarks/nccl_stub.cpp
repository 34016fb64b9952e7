// What nccl_peer calls of NCCL and CUDA, in one library for both, for a single rank and in the
// host's memory. STUB_NCCL_VERSION is NCCL's version (22809 for 2.28.9), STUB_GPUS the number of
// GPUs, and STUB_FAULT a call that goes wrong: "data" copies wrong data, "init" refuses to make a
// communicator.

#include <array>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

using Id = std::array<char, 128>;

int number(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoi(text);
}

bool fails(std::string_view what) {
  const char* text = std::getenv("STUB_FAULT");
  return text != nullptr && text == what;
}

int move(const void* from, void* to, std::size_t bytes) {
  std::memcpy(to, from, bytes);
  if (fails("data")) static_cast<char*>(to)[bytes - 1] ^= 1;
  return 0;
}

std::size_t width(int type) {
  return type == 7 ? 4 : 1;
}  // ncclFloat, or ncclInt8

const void* sent = nullptr;

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): their names, not ours
extern "C" {

int cudaGetDeviceCount(int* count) {
  *count = number("STUB_GPUS", 1);
  return *count == 0 ? 100 : 0;
}
int cudaSetDevice(int /*device*/) {
  return 0;
}
int cudaMalloc(void** memory, std::size_t bytes) {
  *memory = std::malloc(bytes);
  return 0;
}
int cudaFree(void* memory) {
  std::free(memory);
  return 0;
}
int cudaStreamCreate(void** /*stream*/) {
  return 0;
}
int cudaStreamSynchronize(void* /*stream*/) {
  return 0;
}
int cudaMemcpy(void* to, const void* from, std::size_t bytes, int /*kind*/) {
  std::memcpy(to, from, bytes);
  return 0;
}
const char* cudaGetErrorString(int /*status*/) {
  return "no CUDA-capable device is detected";
}

int ncclGetVersion(int* version) {
  *version = number("STUB_NCCL_VERSION", 23007);
  return 0;
}
int ncclGetUniqueId(Id* id) {
  id->fill('u');
  return 0;
}
int ncclCommInitRank(void** /*all*/, int ranks, Id id, int rank) {
  const char* host = std::getenv("NCCL_HOSTID");
  const bool right = ranks == 1 && rank == 0 && id.front() == 'u' && id.back() == 'u' &&
                     host != nullptr && std::string_view(host) == "rank0";
  return right && !fails("init") ? 0 : 2;
}
int ncclCommDestroy(void* /*all*/) {
  return 0;
}
int ncclAllReduce(const void* from, void* to, std::size_t count, int type, int /*operation*/,
                  void* /*all*/, void* /*stream*/) {
  return move(from, to, count * width(type));
}
int ncclAllGather(const void* from, void* to, std::size_t count, int type, void* /*all*/,
                  void* /*stream*/) {
  return move(from, to, count * width(type));
}
int ncclSend(const void* from, std::size_t /*count*/, int /*type*/, int /*peer*/, void* /*all*/,
             void* /*stream*/) {
  sent = from;
  return 0;
}
int ncclRecv(void* to, std::size_t count, int type, int /*peer*/, void* /*all*/, void* /*stream*/) {
  return move(sent, to, count * width(type));
}
int ncclGroupStart() {
  return 0;
}
int ncclGroupEnd() {
  return 0;
}
const char* ncclGetErrorString(int /*status*/) {
  return "unhandled system error";
}
}  // extern "C"
// NOLINTEND(readability-identifier-naming)

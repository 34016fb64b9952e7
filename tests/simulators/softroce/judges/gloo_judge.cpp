// Gloo's algorithms over its ibverbs transport, which sleeps on completion channels: every process
// checks what it got. (Not bcube: repeated, its sums are now and then wrong over TCP too.) usage:
// gloo_judge PROCESSES FOLDER

#include <gloo/allgather_ring.h>
#include <gloo/allreduce_halving_doubling.h>
#include <gloo/allreduce_ring.h>
#include <gloo/allreduce_ring_chunked.h>
#include <gloo/broadcast_one_to_all.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/ibverbs/device.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using Context = std::shared_ptr<gloo::rendezvous::Context>;
using Vector = std::vector<float>;

constexpr int kRepetitions = 5;

// Small integers: sums of floats are exact in any order.
float value(int rank, std::size_t i) {
  return static_cast<float>((rank + 1) * (i % 97));
}

Vector values_of(int rank, std::size_t count) {
  Vector values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = value(rank, i);
  return values;
}

void expect(bool right, const std::string& what) {
  if (!right) throw std::runtime_error(what + ": the result is wrong");
}

/// What takes part in an exchange. A buffer of Gloo's must not go before its sends have completed,
/// and no call says when that is, so all stay until the end.
struct Work {
  Vector data;
  Vector result;
  std::unique_ptr<gloo::Algorithm> algorithm;
};
std::vector<std::unique_ptr<Work>> all_work;

Work& add(Vector data, std::size_t results = 0) {
  all_work.push_back(std::make_unique<Work>(Work{std::move(data), Vector(results), nullptr}));
  return *all_work.back();
}

template <class Algorithm>
void allreduce(const Context& context, std::size_t count, const std::string& name) {
  Work& work = add(Vector(count));
  work.algorithm = std::make_unique<Algorithm>(context, std::vector<float*>{work.data.data()},
                                               static_cast<int>(count));
  Vector sum(count, 0);
  for (int rank = 0; rank < context->size; ++rank) {
    for (std::size_t i = 0; i < count; ++i) sum[i] += value(rank, i);
  }
  for (int i = 0; i < kRepetitions; ++i) {
    const Vector mine = values_of(context->rank, count);
    std::ranges::copy(mine, work.data.begin());  // where it is registered
    work.algorithm->run();
    expect(work.data == sum, name + " of " + std::to_string(count));
  }
}

void allgather(const Context& context, std::size_t count) {
  Work& work =
      add(values_of(context->rank, count), count * static_cast<std::size_t>(context->size));
  work.algorithm = std::make_unique<gloo::AllgatherRing<float>>(
      context, std::vector<const float*>{work.data.data()}, work.result.data(),
      static_cast<int>(count));
  work.algorithm->run();
  Vector right;
  for (int rank = 0; rank < context->size; ++rank) {
    const Vector part = values_of(rank, count);
    right.insert(right.end(), part.begin(), part.end());
  }
  expect(work.result == right, "allgather of " + std::to_string(count));
}

void broadcast(const Context& context, std::size_t count) {
  const int root = context->size - 1;
  Work& work = add(values_of(context->rank, count));
  work.algorithm = std::make_unique<gloo::BroadcastOneToAll<float>>(
      context, std::vector<float*>{work.data.data()}, static_cast<int>(count), root);
  work.algorithm->run();
  expect(work.data == values_of(root, count), "broadcast of " + std::to_string(count));
}

void run(int rank, int size, const std::string& folder, pthread_barrier_t& everybody) {
  gloo::transport::ibverbs::attr attributes;
  attributes.name = "soft0";
  attributes.port = 1;
  attributes.index = 0;
  auto device = gloo::transport::ibverbs::CreateDevice(attributes);
  auto context = std::make_shared<gloo::rendezvous::Context>(rank, size);
  gloo::rendezvous::FileStore store(folder);
  context->connectFullMesh(store, device);
  for (const std::size_t count : {1, 1000, 100000}) {
    allreduce<gloo::AllreduceRing<float>>(context, count, "ring");
    allreduce<gloo::AllreduceRingChunked<float>>(context, count, "chunked ring");
    allreduce<gloo::AllreduceHalvingDoubling<float>>(context, count, "halving and doubling");
    allgather(context, count);
    broadcast(context, count);
  }
  // Everybody has everything; what is not acknowledged yet will be in a moment.
  pthread_barrier_wait(&everybody);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  all_work.clear();
}

int guarded(int rank, int size, const std::string& folder, pthread_barrier_t& everybody) {
  try {
    run(rank, size, folder, everybody);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gloo_judge: rank %d: %s\n", rank, error.what());
    return 1;
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const int size = std::stoi(arguments[1]);
  auto& everybody = *static_cast<pthread_barrier_t*>(mmap(nullptr, sizeof(pthread_barrier_t),
                                                          PROT_READ | PROT_WRITE,
                                                          MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  pthread_barrierattr_t shared;
  pthread_barrierattr_init(&shared);
  pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(&everybody, &shared, static_cast<unsigned>(size));
  for (int rank = 0; rank < size; ++rank) {
    if (fork() == 0) return guarded(rank, size, arguments[2], everybody);
  }
  int failed = 0;
  for (int status = 0; wait(&status) > 0;) failed += status == 0 ? 0 : 1;
  std::printf("%d of %d processes failed\n", failed, size);
  return failed == 0 ? 0 : 1;
}

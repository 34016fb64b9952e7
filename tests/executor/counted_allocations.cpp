#include "executor/counted_allocations.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

thread_local std::size_t count_of_allocations = 0;
thread_local std::size_t bytes_now = 0;
thread_local std::size_t most_bytes = 0;

void* counted(std::size_t bytes) {
  ++count_of_allocations;
  void* const memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  bytes_now += malloc_usable_size(memory);
  most_bytes = std::max(most_bytes, bytes_now);
  return memory;
}

/// What another thread allocated is its own.
void release(void* memory) {
  if (memory != nullptr) bytes_now -= std::min(bytes_now, malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t bytes) {
  return counted(bytes);
}
void* operator new[](std::size_t bytes) {
  return counted(bytes);
}
void operator delete(void* memory) noexcept {
  release(memory);
}
void operator delete[](void* memory) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  release(memory);
}

std::size_t railgauge::allocations() {
  return count_of_allocations;
}

std::size_t railgauge::allocated_bytes() {
  return bytes_now;
}
std::size_t railgauge::most_allocated_bytes() {
  return most_bytes;
}
void railgauge::count_most() {
  most_bytes = bytes_now;
}

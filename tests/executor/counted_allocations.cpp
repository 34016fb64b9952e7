#include "executor/counted_allocations.hpp"

#include <cstdlib>
#include <new>

namespace {

thread_local std::size_t count_of_allocations = 0;

void* counted(std::size_t bytes) {
  ++count_of_allocations;
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) {
  return counted(bytes);
}
void* operator new[](std::size_t bytes) {
  return counted(bytes);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

std::size_t railgauge::allocations() {
  return count_of_allocations;
}

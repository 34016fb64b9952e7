#include <iostream>

#include "schedule/proof.hpp"
#include "schedule/algorithms.hpp"

int main() {
  const auto flaw = railgauge::schedule::disproof(railgauge::schedule::ring_all_reduce(5));
  std::cout << flaw.value_or("the ring of 5 is right") << '\n';
  return flaw ? 1 : 0;
}

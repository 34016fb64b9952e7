#include <iostream>

#include "schedule/algorithms.hpp"
#include "schedule/proof.hpp"

int main() {
  const auto flaw = railgauge::schedule::disproof(railgauge::schedule::ring_all_reduce(5));
  std::cout << flaw.value_or("the ring of 5 is right") << '\n';
  return flaw ? 1 : 0;
}

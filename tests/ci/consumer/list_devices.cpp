#include <iostream>

#include "verbs/device.hpp"

int main() {
  std::cout << railgauge::verbs::search_devices().looked_at << '\n';
}

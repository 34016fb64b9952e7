#include "tree.hpp"

namespace railgauge {

std::string in_tree(const std::string& path) {
  return RAILGAUGE_TREE "/" + path;
}

std::string in_build(const std::string& path) {
  return RAILGAUGE_BUILD "/" + path;
}

}  // namespace railgauge

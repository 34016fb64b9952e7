#include "fabric/presets.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "fabric/addresses.hpp"

namespace railgauge::fabric::described {
namespace {

constexpr int kMostHosts = 254;
constexpr int kMostRails = 64;  // of soft devices
constexpr int kMostSpines = 254;
constexpr int kHostsPerStore = 4;

std::string numbered(const char* what, int number) {
  return what + std::to_string(number);
}

void check_range(const char* what, int value, int most) {
  if (value < 1 || value > most) {
    throw std::runtime_error(std::string{"there are from 1 to "} + std::to_string(most) + " " +
                             what + ", not " + std::to_string(value));
  }
}

std::uint64_t scaled(std::uint64_t bytes, double by) {
  return static_cast<std::uint64_t>(static_cast<double>(bytes) * by);
}

/// Of a fabric that is faster than the default one by this factor. A slower one's packets are as
/// large, so that its queues need as much room.
void scale(Switching& switching, double by) {
  if (by <= 1) return;
  switching.buffer_bytes = scaled(switching.buffer_bytes, by);
  for (Priority& priority : switching.priorities) {
    if (!priority.ecn_kmin_bytes) continue;
    priority.ecn_kmin_bytes = scaled(*priority.ecn_kmin_bytes, by);
    priority.ecn_kmax_bytes = scaled(*priority.ecn_kmax_bytes, by);
  }
}

/// A fabric that grows. Every cable has the shape's delay and MTU.
class Builder {
 public:
  Builder(const std::string& name, const Shape& shape) : shape_(shape) {
    fabric_.name = name;
    pods_ = shape.leaves.value_or(std::min(2, shape.hosts));
    check_range("leaves", pods_, shape.hosts);
    for (int host = 0; host < shape.hosts; ++host) {
      fabric_.hosts.push_back({.name = numbered("host", host), .pod = pod_of(host)});
    }
  }

  [[nodiscard]] int pods() const { return pods_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }

  void add_switch(Switch made) { fabric_.switches.push_back(std::move(made)); }

  void add_host(const std::string& name) { fabric_.hosts.push_back({.name = name, .pod = 0}); }

  /// `port` is that of the lower end; the upper one has the lower end's name.
  void join(const std::string& lower, const std::string& port, const std::string& upper,
            double rate_mbit_per_s) {
    Link link;
    link.a = {.node = lower, .port = port};
    link.b = {.node = upper, .port = free_port(upper, lower)};
    link.rate_mbit_per_s = rate_mbit_per_s;
    link.delay_us = shape_.delay_us;
    link.mtu_bytes = shape_.mtu_bytes;
    fabric_.links.push_back(std::move(link));
  }

  /// A host's port `rail` to the leaf of its pod.
  void attach_hosts(int rail, const std::string& leaf, int pod) {
    for (int host = 0; host < shape_.hosts; ++host) {
      if (pod_of(host) != pod) continue;
      join(numbered("host", host), numbered("rail", rail), leaf, shape_.rate_mbit_per_s);
      downlinks_[leaf] += shape_.rate_mbit_per_s;
    }
  }

  /// Every leaf so far to every spine; leaves receive `oversubscription` times what spines carry.
  void add_spines(double oversubscription) {
    const std::vector<Switch> leaves = fabric_.switches;
    for (int spine = 0; spine < shape_.spines; ++spine) {
      add_switch({.name = numbered("spine", spine), .tier = 2});
    }
    for (const Switch& leaf : leaves) {
      const double rate = downlinks_[leaf.name] / (oversubscription * shape_.spines);
      for (int spine = 0; spine < shape_.spines; ++spine) {
        join(leaf.name, numbered("spine", spine), numbered("spine", spine), rate);
      }
    }
  }

  Fabric finish() {
    check(fabric_);
    fill_in(fabric_);
    scale(fabric_.switching, shape_.rate_mbit_per_s / Shape{}.rate_mbit_per_s);
    return std::move(fabric_);
  }

 private:
  /// Blocks of neighbours, whose sizes differ by one at most.
  [[nodiscard]] int pod_of(int host) const { return host * pods_ / shape_.hosts; }

  /// The name of the other end, with a number from its second link on.
  std::string free_port(const std::string& node, const std::string& other) {
    const int number = joined_[{node, other}]++;
    return number == 0 ? other : other + "-" + std::to_string(number);
  }

  Shape shape_;
  Fabric fabric_{};
  int pods_ = 1;
  std::map<std::string, double> downlinks_{};  // Mbit/s of each leaf
  std::map<std::pair<std::string, std::string>, int> joined_{};
};

void add_rail_leaves(Builder& builder) {
  for (int rail = 0; rail < builder.shape().rails; ++rail) {
    for (int pod = 0; pod < builder.pods(); ++pod) {
      const std::string leaf = numbered("leaf", rail) + "-" + std::to_string(pod);
      builder.add_switch({.name = leaf, .tier = 1, .rail = rail, .pod = pod});
      builder.attach_hosts(rail, leaf, pod);
    }
  }
}

void add_pod_leaves(Builder& builder) {
  for (int pod = 0; pod < builder.pods(); ++pod) {
    const std::string leaf = numbered("leaf", pod);
    builder.add_switch({.name = leaf, .tier = 1, .pod = pod});
    for (int rail = 0; rail < builder.shape().rails; ++rail) builder.attach_hosts(rail, leaf, pod);
  }
}

void add_storage(Builder& builder) {
  const char* const leaf = "storage-leaf";
  const Shape& shape = builder.shape();
  builder.add_switch({.name = leaf, .tier = 1});
  for (int host = 0; host < shape.hosts; ++host) {
    builder.join(numbered("host", host), "storage0", leaf, shape.rate_mbit_per_s);
  }
  for (int store = 0; store * kHostsPerStore < shape.hosts; ++store) {
    builder.add_host(numbered("store", store));
    builder.join(numbered("store", store), "storage0", leaf, 2 * shape.rate_mbit_per_s);
  }
}

void build(Builder& builder, const std::string& name) {
  if (name == "rail-optimised" || name == "storage") {
    add_rail_leaves(builder);
    builder.add_spines(1);
    if (name == "storage") add_storage(builder);
  } else {
    add_pod_leaves(builder);
    builder.add_spines(name == "clos" ? 1 : 2);
  }
}

std::string in_words(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

}  // namespace

const std::vector<std::string>& preset_names() {
  static const std::vector<std::string> names{"rail-optimised", "clos", "oversubscribed-2",
                                              "storage"};
  return names;
}

Fabric preset(const std::string& name, const Shape& shape) {
  if (std::ranges::find(preset_names(), name) == preset_names().end()) {
    throw std::runtime_error("'" + name + "' is not one of " + in_words(preset_names()));
  }
  check_range("hosts", shape.hosts, kMostHosts);
  check_range("rails", shape.rails, kMostRails);
  check_range("spines", shape.spines, kMostSpines);
  Builder builder(name, shape);
  build(builder, name);
  return builder.finish();
}

}  // namespace railgauge::fabric::described

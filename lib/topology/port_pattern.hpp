#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::topology {

/// Ports by name, written as for NCCL's NCCL_IB_HCA: "mlx5" is all devices whose names begin so,
/// "mlx5_0:1,mlx5_1:1" two ports, "=mlx5_1" that device and not mlx5_10, "^mlx5_3" and "^=mlx5_3"
/// all but. ^ and = stand before the whole list.
class PortPattern {
 public:
  /// Throws std::invalid_argument for an empty name, or a port that is no number above 0.
  explicit PortPattern(std::string_view text);

  [[nodiscard]] bool matches(const std::string& device, int port) const;
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  struct Name {
    std::string device;
    std::optional<int> port;
  };

  std::string text_;
  bool negated_ = false;
  bool exact_ = false;
  std::vector<Name> names_;
};

}  // namespace railgauge::topology

#include "verdict/other_side.hpp"

#include "measure/sizes.hpp"

namespace railgauge::verdict {

std::optional<BaselinePoint> counterpoint(const Curve& theirs, std::uint64_t size_bytes,
                                          bool interpolate) {
  if (const Point* const found = point_at(theirs, size_bytes)) return BaselinePoint{*found, false};
  if (!interpolate) return std::nullopt;
  auto between = interpolated(theirs, size_bytes);
  if (!between) return std::nullopt;
  between->median_interval.reset();
  return BaselinePoint{*between, true};
}

std::optional<Finding> missing_sizes(const Finding& about, const Curve& ours, const Curve& theirs,
                                     const std::string& whose) {
  std::string sizes;
  for (const Point& point : theirs.points) {
    const std::uint64_t size_bytes = point.size_bytes.value_or(0);
    if (size_bytes == 0 || point_at(ours, size_bytes) != nullptr) continue;
    sizes += (sizes.empty() ? "" : ", ") + measure::format_size(size_bytes);
  }
  if (sizes.empty()) return std::nullopt;
  Finding finding = about;
  finding.subject = Subject::missing;
  finding.verdict = Verdict::note;
  finding.remark = "sizes of the " + whose + " were not measured: " + sizes;
  return finding;
}

}  // namespace railgauge::verdict

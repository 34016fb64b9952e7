#pragma once

#include <string>

#include "fabric/description.hpp"

namespace railgauge::fabric::described {

/// A fabric as text: what it consists of, every switch with its oversubscription, every link with
/// addresses, and how bandwidth, delay and buffers compare, by which it imitates faster ones.
std::string description_table(const Fabric& fabric);

/// The same as a picture: tiers in rows, hosts below, links in the colour of their rail.
std::string description_svg(const Fabric& fabric);

}  // namespace railgauge::fabric::described

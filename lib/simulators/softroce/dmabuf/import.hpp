#pragma once

#include <cstddef>
#include <cstdint>

#include "softroce/device/memory.hpp"

namespace railgauge::softroce {

/// A part of a DMA-buf, as ibv_reg_dmabuf_mr() names it.
struct DmabufRange {
  int file = -1;
  std::uint64_t offset = 0;
  std::size_t length = 0;
  std::uint64_t iova = 0;  ///< of GPU memory: its address, as all programs have it
  bool writable = false;
};

/// Maps the range, or makes a shadow of it. The file may be closed afterwards. 0, or the errno that
/// the kernel would give (ib_umem_dmabuf_get(), dma_buf_get()).
///
/// A memfd counts as a DMA-buf, so that programs can be tested without a GPU.
int import_dmabuf(const DmabufRange& range, Imported& out);

}  // namespace railgauge::softroce

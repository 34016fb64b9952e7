// The kernels, for this processor: kernels.cu, or the text that hiprtc gets of it, which does not
// have this processor's C++ library.

#ifdef RAILGAUGE_FAKE_HIP
#define railgauge railgauge_hip  // as some of it is otherwise
#include "kernels.hip"
#else
#include "gpu/kernels.cu"
#endif

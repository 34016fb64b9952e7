// A library that is linked with libibverbs, for verbs_loader.
#include <infiniband/verbs.h>

extern "C" __attribute__((visibility("default"))) const char* first_device() {
  int number = 0;
  ibv_device** const devices = ibv_get_device_list(&number);
  return number > 0 ? ibv_get_device_name(devices[0]) : "there are no devices";
}

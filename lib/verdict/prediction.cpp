#include "verdict/prediction.hpp"

#include "json/codec.hpp"

namespace railgauge::verdict {

template <class Visit>
void fields(PredictedTime& self, Visit& visit) {
  visit.required("algorithm", self.algorithm);
  visit.required("bytes", self.size_bytes);
  visit.required("microseconds", self.time_us);
  visit.required("least_microseconds", self.least_us);
  visit.required("most_microseconds", self.most_us);
}

template <class Visit>
void fields(Prediction& self, Visit& visit) {
  visit.schema("railgauge/prediction/1");
  visit.required("collective", self.collective);
  visit.required("hosts", self.hosts);
  visit.required("ranks", self.ranks);
  visit.required("queue_pairs", self.queue_pairs);
  visit.required("rows", self.rows);
}

}  // namespace railgauge::verdict

namespace railgauge::json {

template <>
struct Codec<verdict::PredictedTime> {
  static void decode(const Json& json, verdict::PredictedTime& row) {
    decode_fields(json, row);
    const bool ordered =
        0 <= row.least_us && row.least_us <= row.time_us && row.time_us <= row.most_us;
    if (!ordered) throw FieldError("is not within its band", "microseconds");
  }
};

}  // namespace railgauge::json

namespace railgauge::verdict {

Prediction prediction_of(const nlohmann::ordered_json& json, const std::string& name) {
  Prediction prediction;
  json::decode(json, prediction);
  prediction.name = name;
  return prediction;
}

}  // namespace railgauge::verdict

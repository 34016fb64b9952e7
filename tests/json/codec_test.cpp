#include "json/codec.hpp"

#include <gtest/gtest.h>

#include "json/fields.hpp"

namespace railgauge::json {
namespace {

struct Part {
  std::string name{};
  std::optional<int> count{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.empty_is_null();
    visit("name", self.name);
    visit.positive("count", self.count);
  }
};

struct Strict {
  std::optional<double> share{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.strict();
    visit.schema("x/1");
    visit.within("share", self.share, 0, 1);
  }
};

struct Whole {
  std::vector<Part> parts{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("parts", self.parts);
  }
};

/// The error of a document.
template <class Type>
std::string refusal(const Json& json, void (*read)(const Json&, Type&)) {
  Type value;
  try {
    read(json, value);
  } catch (const FieldError& error) {
    return error.what();
  }
  return "";
}

TEST(Codec, NamesTheFieldByItsPath) {
  EXPECT_EQ(refusal<Whole>({{"parts", {{{"count", 1}}, {{"count", 0}}}}}, decode),
            "the field 'parts[1].count' is 0: it has to be above zero");
  EXPECT_EQ(refusal<Whole>(Json::object(), decode), "the field 'parts' is missing");
  EXPECT_EQ(refusal<Whole>(7, decode), "the document is of the wrong type: 7");
  EXPECT_EQ(refusal<std::vector<Part>>({7}, decode), "the field '[0]' is of the wrong type: 7");
}

TEST(Codec, WritesNullForWhatIsNotKnown) {
  const Json json = encode(Part{});
  EXPECT_EQ(json, (Json{{"name", nullptr}, {"count", nullptr}}));
  Part read{.name = "kept", .count = 3};
  decode(json, read);
  EXPECT_EQ(read.name, "kept");
  EXPECT_EQ(read.count, 3);
}

TEST(Codec, LeavesOutWhatIsEmpty) {
  EXPECT_EQ(encode(Strict{}), (Json{{"schema", "x/1"}}));
}

TEST(Codec, RefusesUnknownFieldsIfItIsStrict) {
  const Json json{{"name", "a"}, {"names", 1}};
  EXPECT_EQ(refusal<Part>(json, decode), "");
  EXPECT_EQ(refusal<Strict>(json, decode),
            "the field 'schema' is missing; this railgauge "
            "reads x/1");
  EXPECT_EQ(refusal<Strict>({{"schema", "x/1"}, {"names", 1}}, decode),
            "the field 'names' is unknown");
  EXPECT_EQ(refusal<Strict>({{"schema", "x/1"}, {"share", 2}}, decode),
            "the field 'share' is 2: it has to be from 0 to 1");
  EXPECT_EQ(refusal<Strict>({{"schema", "x/1"}, {"share", 0.5}}, decode), "");
}

}  // namespace
}  // namespace railgauge::json

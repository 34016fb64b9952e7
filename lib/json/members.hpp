#pragma once

#include <cstddef>
#include <string_view>

namespace railgauge::json {

/// The word of an enumerator, out of those of all, which count from 0; empty beyond them.
template <class E, std::size_t kCount>
constexpr std::string_view word_of(E value, const std::string_view (&words)[kCount]) {
  const auto number = static_cast<std::size_t>(value);
  return number < kCount ? words[number] : "";
}

/// The same, where the last enumerator is named: there has to be a word for each.
template <auto kLast, std::size_t kCount>
constexpr std::string_view word_of(decltype(kLast) value, const std::string_view (&words)[kCount]) {
  static_assert(static_cast<std::size_t>(kLast) + 1 == kCount, "each enumerator has a word");
  return word_of(value, words);
}

}  // namespace railgauge::json

// Fields that a document calls as the struct calls its members, each named once:
//
//   RAILGAUGE_FIELDS((host), (device), port)
//
// makes the function `fields` that codec.hpp describes. A document without a field that stands in
// parentheses is refused; one without another has the default. RAILGAUGE_VISIT() is for a function
// that is written by hand, as its struct has other fields, too. RAILGAUGE_GIVEN(host, port) visits
// fields that are left out if they are empty.

#define RAILGAUGE_FIELDS(...)                    \
  template <class Self, class Visit>             \
  static void fields(Self& self, Visit& visit) { \
    RAILGAUGE_VISIT(__VA_ARGS__);                \
  }
#define RAILGAUGE_VISIT(...) RAILGAUGE_RESCAN(RAILGAUGE_VISIT_NEXT(__VA_ARGS__)) static_assert(true)

// One after the other: each rescan lets the macro that names itself be expanded once more.
#define RAILGAUGE_VISIT_NEXT(field, ...) \
  RAILGAUGE_VISIT_ONE(field) __VA_OPT__(RAILGAUGE_VISIT_AGAIN RAILGAUGE_PARENTHESES()(__VA_ARGS__))
#define RAILGAUGE_VISIT_AGAIN() RAILGAUGE_VISIT_NEXT
#define RAILGAUGE_PARENTHESES() ()
#define RAILGAUGE_RESCAN(...) \
  RAILGAUGE_RESCAN_3(RAILGAUGE_RESCAN_3(RAILGAUGE_RESCAN_3(__VA_ARGS__)))
#define RAILGAUGE_RESCAN_3(...) \
  RAILGAUGE_RESCAN_9(RAILGAUGE_RESCAN_9(RAILGAUGE_RESCAN_9(__VA_ARGS__)))
#define RAILGAUGE_RESCAN_9(...) \
  RAILGAUGE_RESCAN_1(RAILGAUGE_RESCAN_1(RAILGAUGE_RESCAN_1(__VA_ARGS__)))
#define RAILGAUGE_RESCAN_1(...) __VA_ARGS__

#define RAILGAUGE_GIVEN(...) RAILGAUGE_RESCAN(RAILGAUGE_GIVEN_NEXT(__VA_ARGS__)) static_assert(true)
#define RAILGAUGE_GIVEN_NEXT(field, ...) \
  visit.if_any(#field, self.field);      \
  __VA_OPT__(RAILGAUGE_GIVEN_AGAIN RAILGAUGE_PARENTHESES()(__VA_ARGS__))
#define RAILGAUGE_GIVEN_AGAIN() RAILGAUGE_GIVEN_NEXT

// Parentheses around a field make a call of what stands before them, which names another macro.
#define RAILGAUGE_VISIT_ONE(field) \
  RAILGAUGE_SECOND(RAILGAUGE_IF_CALLED field, RAILGAUGE_VISIT_OPTIONAL, )(field)
#define RAILGAUGE_IF_CALLED(field) , RAILGAUGE_VISIT_REQUIRED
#define RAILGAUGE_SECOND(...) RAILGAUGE_SECOND_OF(__VA_ARGS__)
#define RAILGAUGE_SECOND_OF(first, second, ...) second
#define RAILGAUGE_VISIT_OPTIONAL(field) visit(#field, self.field);
#define RAILGAUGE_VISIT_REQUIRED(field) \
  visit.required(RAILGAUGE_TEXT_OF field, self.RAILGAUGE_BARE field);
#define RAILGAUGE_TEXT_OF(field) #field
#define RAILGAUGE_BARE(field) field

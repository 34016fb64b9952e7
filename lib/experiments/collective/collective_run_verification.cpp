// What a run does around an iteration that is verified.

#include "experiments/collective/collective_run.hpp"

namespace railgauge::runner {

/// New data, and an output that holds nothing that could pass for a result.
void CollectiveRun::prepare(const transport::Region& input) {
  constexpr unsigned char kGarbage = 0xa5;
  ++pattern_.seed;
  data_->set(output_.bytes(used_bytes()), kGarbage);
  data_->fill_input(pattern_, session_.number(), {input.data, used_bytes()});
}

void CollectiveRun::forget_wrong() {
  wrong_ = verifications_ = 0;
  wrong_blocks_.clear();
  data_error_.clear();
}

void CollectiveRun::verify() {
  ++verifications_;
  for (schedule::Block block = 0; block < schedule().blocks; ++block) {
    if (schedule::is_output(schedule(), session_.number(), block)) verify_block(block);
  }
  check_guards();
}

void CollectiveRun::verify_block(schedule::Block block) {
  const measure::Verdict verdict = verdict_on(block);
  if (verdict.wrong == 0) return;
  wrong_ += verdict.wrong;
  const std::size_t parts = element_bytes_ / reduce::size_bytes(pattern_.type);
  const std::size_t first = geometry_.layout.span({block, 1}).begin + verdict.first_at / parts;
  note_wrong(block, first);
  complain("block " + std::to_string(block) + ": " + std::to_string(verdict.wrong) +
           " wrong elements; of the input, " + verdict.first + origin_of(first));
}

/// Of a fabric that changes much, the first blocks are evidence enough.
void CollectiveRun::note_wrong(schedule::Block block, std::size_t element) {
  constexpr std::size_t kMost = 256;
  if (wrong_blocks_.size() == kMost) return;
  const auto channel = threads_.delivered_by(element);
  const int plane = channel ? static_cast<int>(threads_.channels()[*channel].rail) : -1;
  const auto carried = threads_.carried_as(schedule().blocks, element);
  wrong_blocks_.push_back({verifications_, block, element, carried.value_or(block), plane});
}

void CollectiveRun::trace() {
  const auto found = trace_wrong_data(session_, schedule(), wrong_blocks_, planes_);
  if (found) keep_closest(session_.frame().findings(), *found);
}

/// Patterns of copies may have smaller elements than the data: positions are theirs. The first
/// wrong element comes back as one of the block.
measure::Verdict CollectiveRun::verdict_on(schedule::Block block) const {
  const std::size_t parts = element_bytes_ / reduce::size_bytes(pattern_.type);
  const auto [begin, end] = geometry_.layout.span({block, 1});
  const auto found =
      output_.bytes(used_bytes()).subspan(begin * element_bytes_, (end - begin) * element_bytes_);
  const bool reduced = schedule::reduces(schedule().collective);
  const auto source =
      reduced ? schedule::Place{} : schedule::source_of(schedule(), session_.number(), block);
  const std::size_t first = parts * (reduced ? begin : geometry_.input_begin(schedule(), source));
  measure::Verdict verdict = reduced ? data_->verify_reduction(pattern_, first, found)
                                     : data_->verify_copy(pattern_, source.rank, first, found);
  verdict.first_at -= verdict.wrong > 0 ? first : 0;
  return verdict;
}

/// By which way an element of the output came last, in words.
std::string CollectiveRun::origin_of(std::size_t element) const {
  const auto channel = threads_.delivered_by(element);
  if (!channel) return "; this rank has put it there itself";
  return "; delivered last by " + threads_.describe(*channel);
}

void CollectiveRun::check_guards() {
  for (const auto& [buffer, name] :
       {std::pair{&input_, "input"}, {&output_, "output"}, {&scratch_, "scratch"}}) {
    const std::string broken = buffer->broken();
    if (broken.empty()) continue;
    ++wrong_;
    complain(std::string("the ") + name + " buffer: " + broken);
  }
}

/// Of a placement the first is told; the others are counted.
void CollectiveRun::complain(const std::string& what) {
  if (!data_error_.empty()) return;
  data_error_ = schedule().name + ", " + std::to_string(geometry_.size_bytes) + " bytes, " + what;
}

}  // namespace railgauge::runner

#include "flow/pinger.hpp"

#include <atomic>
#include <cstring>

namespace railgauge::flow {
namespace {

/// Written by the NIC; eight bytes at an aligned place are seen whole or not at all.
std::uint64_t read_mail(std::byte* mailbox) {
  return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(mailbox))
      .load(std::memory_order_acquire);
}

}  // namespace

Pinger::Pinger(const Plan& plan, Nic& nic, verbs::QueuePair& pair, const verbs::RemoteMemory& there,
               std::uint64_t id)
    : plan_(plan), nic_(nic), pair_(pair), there_(there), id_(id) {}

int Pinger::begin() {
  began_ = now_ = Clock::now();
  return ask();
}

int Pinger::look() {
  if (plan_.mode != Mode::write) return 0;
  const std::uint64_t mail = read_mail(nic_.mailbox());
  if (under_way_) return mail == count_ ? answered() : 0;
  if (mail <= count_) return 0;
  count_ = mail;
  return post();
}

int Pinger::arrived() {
  if (under_way_) return answered();
  ++count_;
  return post();
}

int Pinger::answered() {
  now_ = Clock::now();
  under_way_ = false;
  if (asked_ > (plan_.mode == Mode::unanswered ? 0 : kWarmUp)) {
    const auto time = now_ - asked_at_;
    figures_.times.record(is_whole_trip() ? time : time / 2);
    ++figures_.messages;
    figures_.bytes += kBytes;
  }
  figures_.seconds = std::chrono::duration<double>(now_ - began_).count();
  return asks_again() ? ask() : 0;
}

bool Pinger::asks_again() const {
  if (figures_.messages == 0) return true;
  if (plan_.iterations > 0) return figures_.messages < plan_.iterations;
  return now_ - began_ < plan_.time;
}

int Pinger::ask() {
  ++asked_;
  ++count_;
  under_way_ = true;
  asked_at_ = Clock::now();
  return post();
}

int Pinger::post() {
  if (plan_.mode == Mode::read) {
    return pair_.read({.from = {there_.address + Nic::kOutbox, there_.key},
                       .into = nic_.slice(Nic::kInbox, kBytes),
                       .id = id_});
  }
  std::memcpy(nic_.outbox(), &count_, kBytes);
  const verbs::LocalSlice from = nic_.slice(Nic::kOutbox, kBytes);
  if (plan_.mode == Mode::send) return pair_.send(from, id_);
  return pair_.write({.from = from, .to = {there_.address + Nic::kMailbox, there_.key}, .id = id_});
}

}  // namespace railgauge::flow

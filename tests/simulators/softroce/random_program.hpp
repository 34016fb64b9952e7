#pragma once

#include <deque>
#include <queue>
#include <random>
#include <string>

#include "wire_pair.hpp"

namespace railgauge::softroce {

/// What happens to packets, each with this probability.
struct Weather {
  double loss = 0;
  double duplication = 0;
  double reordering = 0;
  nanoseconds longest_delay = std::chrono::microseconds(20);
};

/// Both sides of a connection carry out random SENDs, WRITEs, READs and atomics on each other, over
/// a wire with weather. What must come out is known beforehand: requests take effect once, in their
/// order.
class RandomProgram {
 public:
  RandomProgram(std::uint64_t seed, const Options& options, const Weather& weather);
  /// Runs to the end. Empty, or the first thing that was wrong.
  std::string run();
  Time duration() const { return Time(pair_.now - begun_); }
  WirePair& pair() { return pair_; }

 private:
  struct Step {
    ibv_wr_opcode opcode = IBV_WR_SEND;
    std::size_t local = 0;
    std::size_t remote = 0;
    std::uint32_t length = 0;
    unsigned flags = 0;
    std::uint64_t compare_or_add = 0, swap = 0;
    std::uint64_t original = 0;  ///< of atomics: what must come back
  };
  struct Side {
    Side(End& its_end, End& its_peer, Host& its_host)
        : end(its_end), peer(its_peer), host(its_host) {}
    End& end;
    End& peer;
    Host& host;
    std::vector<Step> steps{};
    std::size_t posted = 0;
    std::size_t completed = 0;            ///< steps before this one are known to be done
    std::vector<std::byte> expected{};    ///< of the peer's memory that this side writes
    std::vector<std::size_t> messages{};  ///< the steps that use up one of the peer's receives
    std::size_t receives_posted = 0;      ///< for messages of the peer
    std::size_t received = 0;             ///< by the peer, of this side's messages
    Time last_arrival{};
  };
  struct Arrival {
    Time at{};
    std::uint64_t order = 0;
    bool to_server = false;
    Flying packet{};
    bool operator<(const Arrival& other) const {
      return std::tie(other.at, other.order) < std::tie(at, order);
    }
  };

  void plan(Side& side);
  Step random_step(std::size_t wrote, std::size_t& landing);
  void foresee(Side& side, Step& step);
  void act(Side& side);
  void post(Side& side, std::size_t index);
  void fly(Side& from, bool to_server);
  void check();
  void check_sent(Side& side);
  void check_received(Side& side);
  void check_end(Side& side);
  bool done() const;
  bool advance();
  void wrong(const std::string& what);
  std::size_t below(std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_);
  }
  bool chance(double probability) { return std::bernoulli_distribution(probability)(random_); }
  std::size_t area(unsigned which) const { return which * unit_; }

  std::mt19937_64 random_;
  Weather weather_;
  std::size_t unit_;
  bool each_once_;  ///< no byte is written twice, as order does not decide which write is the last
  std::size_t longest_;
  WirePair pair_;
  Side client_, server_;
  std::priority_queue<Arrival> wire_{};
  std::uint64_t order_ = 0;
  Time begun_{};
  std::string wrong_{};
};

}  // namespace railgauge::softroce

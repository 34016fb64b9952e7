#pragma once

#include <cstddef>
#include <cstdint>

namespace railgauge::congestion {

/// What a fabric is to do.
struct Policy {
  /// ECN has to act first, and PFC is the safety net (Zhu et al., "Congestion Control for
  /// Large-Scale RDMA Deployments", SIGCOMM 2015, section 4). False: a fabric that relies on PFC
  /// alone, as Meta's (Gangidi et al., "RDMA over Ethernet for Distributed AI Training at Meta
  /// Scale", SIGCOMM 2024, section 5).
  bool expects_ecn = true;
  /// The ratio that a fabric was designed with; 0: not known. A measured one may be larger by
  /// `kLeastPredicted`.
  double oversubscription = 0;
};

// From where on a difference counts.

/// Of the packets of one or two senders at half load, which leave no queue but a message: a
/// switch marks nothing below Kmin (SIGCOMM 2015, figure 5). Own value: more than strays.
inline constexpr double kMostMarkedShare = 0.01;
/// A port that got fewer marks, CNPs or pauses is not accused of ignoring them: a notification
/// point sends one CNP in 50 us and flow at most (SIGCOMM 2015, section 3.1). Own value.
inline constexpr std::int64_t kLeastMarks = 10;
/// Of the CNPs that receivers sent, senders have to receive this share. Own value: CNPs may be
/// lost one by one.
inline constexpr double kLeastCnpsShare = 0.5;
/// Jain, Chiu and Hawe, "A Quantitative Measure of Fairness", DEC TR-301, 1984: 1 if all shares
/// are equal, 1/n if one has all. Own value: one of four senders has three times as much.
inline constexpr double kLeastFairness = 0.8;
/// Of the fair share: a sender with more is named. Own value.
inline constexpr double kMostShare = 1.5;
/// Steps in which the same sender has more: DCQCN needs thousands of its timers to be fair, so
/// that a single step is no proof. Own value.
inline constexpr std::size_t kLeastUnfairSteps = 2;
/// A sender with more than its share that gets this part of the pauses that others get, or whose
/// messages take no longer than this times those of a sender alone, does not wait in the queue
/// that it fills: a switch prefers it. Own values.
inline constexpr double kMostSpared = 0.25;
inline constexpr double kMostUndelayed = 1.5;
/// Of the packets that come into a switch, those that leave it in another priority. Own value:
/// packets under way when counters are read.
inline constexpr double kMostReclassifiedShare = 0.01;
/// A victim keeps this share of what it had alone. Own value.
inline constexpr double kLeastVictimShare = 0.8;
/// A flow has this part of what its path predicts. Own value: windows, and pauses of others.
inline constexpr double kLeastPredicted = 0.8;
/// A flow has this part of its fair share, or flows share links. Own value: two that share one
/// have a half.
inline constexpr double kLeastFairShare = 0.9;
/// Another traffic class takes this part of the delay away that bulk of the same class causes.
/// Own value: with strict priority it is nearly all.
inline constexpr double kLeastSeparation = 0.5;
/// Flows have converged when all are as near to the fair share
/// (draft-calabria-bmwg-ai-fabric-training-bench: 10 %). Own: counted over so many packets each.
inline constexpr double kConvergedWithin = 0.1;
inline constexpr double kPacketsOfShare = 250;
/// A flow that is off by more at the end is an error. Own value.
inline constexpr double kMostUnfair = 0.5;
/// After a link failure this part of the traffic before it is there again. Own value.
inline constexpr double kLeastRecovered = 0.8;
/// Seconds. Own value: a collective with a time-out of retransmission of 1 s goes on.
inline constexpr double kMostRecoverySeconds = 1;
/// Of senders that were told to slow down, pauses in the second half of a step, in parts of those
/// in the first: more, and nobody slowed down. Own value.
inline constexpr double kMostLatePauses = 0.8;

}  // namespace railgauge::congestion

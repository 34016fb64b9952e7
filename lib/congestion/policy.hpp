#pragma once

#include <cstdint>

namespace railgauge::congestion {

/// What is right, and from where on a difference counts.
struct Policy {
  /// ECN has to act first, and PFC is the safety net (Zhu et al., "Congestion Control for
  /// Large-Scale RDMA Deployments", SIGCOMM 2015, section 4). False: a fabric that relies on PFC
  /// alone, as Meta's (Gangidi et al., "RDMA over Ethernet for Distributed AI Training at Meta
  /// Scale", SIGCOMM 2024, section 5).
  bool expects_ecn = true;
  /// Of the packets of one or two senders at half load, which leave no queue but a message: a
  /// switch marks nothing below Kmin (SIGCOMM 2015, figure 5). Own value: more than strays.
  double most_marked_share = 0.01;
  /// A port that got fewer marks, CNPs or pauses is not accused of ignoring them: a notification
  /// point sends one CNP in 50 us and flow at most (SIGCOMM 2015, section 3.1). Own value.
  std::int64_t least_marks = 10;
  /// Of the CNPs that receivers sent, senders have to receive this share. Own value: CNPs may be
  /// lost one by one.
  double least_cnps_share = 0.5;
  /// Jain, Chiu and Hawe, "A Quantitative Measure of Fairness", DEC TR-301, 1984: 1 if all shares
  /// are equal, 1/n if one has all. Own value: one of four senders has three times as much.
  double least_fairness = 0.8;
  /// Of the fair share: a sender with more is named. Own value.
  double most_share = 1.5;
  /// Steps in which the same sender has more: DCQCN needs thousands of its timers to be fair, so
  /// that a single step is no proof. Own value.
  int least_unfair_steps = 2;
  /// A sender with more than its share that gets this part of the pauses that others get, or whose
  /// messages take no longer than this times those of a sender alone, does not wait in the queue
  /// that it fills: a switch prefers it. Own values.
  double most_spared = 0.25;
  double most_undelayed = 1.5;
  /// Of the packets that come into a switch, those that leave it in another priority. Own value:
  /// packets under way when counters are read.
  double most_reclassified_share = 0.01;
  /// A victim keeps this share of what it had alone. Own value.
  double least_victim_share = 0.8;
  /// A flow has this part of what its path predicts. Own value: windows, and pauses of others.
  double least_predicted = 0.8;
  /// A flow has this part of its fair share, or flows share links. Own value: two that share one
  /// have a half.
  double least_fair_share = 0.9;
  /// The ratio that a fabric was designed with; 0: not known. A measured one may be larger by
  /// `least_predicted`.
  double oversubscription = 0;
  /// Another traffic class takes this part of the delay away that bulk of the same class causes.
  /// Own value: with strict priority it is nearly all.
  double least_separation = 0.5;
  /// Flows have converged when all are as near to the fair share
  /// (draft-calabria-bmwg-ai-fabric-training-bench: 10 %). Own: counted over so many packets each.
  double converged_within = 0.1;
  double packets_of_share = 250;
  /// A flow that is off by more at the end is an error. Own value.
  double most_unfair = 0.5;
  /// After a link failure this part of the traffic before it is there again. Own value.
  double least_recovered = 0.8;
  /// Seconds. Own value: a collective with a time-out of retransmission of 1 s goes on.
  double most_recovery_s = 1;
  /// Of senders that were told to slow down, pauses in the second half of a step, in parts of those
  /// in the first: more, and nobody slowed down. Own value.
  double most_late_pauses = 0.8;
};

}  // namespace railgauge::congestion

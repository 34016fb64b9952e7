#pragma once

#include <map>
#include <string>

#include "results/document.hpp"

namespace railgauge::results {

/// Of a collective.
std::vector<CollectiveRow>& rows_of(Document& document);
std::vector<CollectiveRow> rows_of(const Document& document);

/// An all-reduce of four ranks on two hosts and two rails that went well. The first row is checked
/// in both buffer modes; the second is not checked, and only measured out of place.
Document ok_document();

/// The same run when the link of host1's rail 1 went down during the second size.
Document timed_out_document();

/// A reachability test of two hosts and two rails: one of host0's NICs does not reach its peer.
Document reachability_document();

/// A test of pairs of two hosts: one way is slow, even alone, one does not work.
Document pairs_document();

/// A search for a bad component of two hosts: a link between switches loses packets.
Document isolate_document();

/// A test of congestion of two hosts, in which ECN acted first.
Document congestion_document();

/// Two steps of a workload on two ranks.
Document job_document();

/// One document of every status a run can have, by the status.
std::map<std::string, Document> documents_of_every_status();

}  // namespace railgauge::results

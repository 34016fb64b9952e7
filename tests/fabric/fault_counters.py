"""What switches and devices counted during a run, by names that tell a fault."""

import re

# What devices count if something was lost, came twice, was damaged or came too fast.
OF_DEVICES = ("retransmitted_pkts", "completer_retry_err", "retry_exceeded_err", "out_of_seq_request", "rcvd_seq_err",
              "duplicate_request", "icrc_err", "malformed", "link_downed", "rcvd_overflow",
              "np_ecn_marked_roce_packets", "np_cnp_sent", "rp_cnp_handled")


class Counted(dict):
    """What moved."""

    def add(self, name, number):
        if number:
            self[name] = self.get(name, 0) + number

    def by_switches(self, before, after):
        """Answers of `ask counters`."""
        self.add("duplicates made", after["packets"]["made"] - before["packets"]["made"])
        for old, new in zip(before["directions"], after["directions"]):
            known = {one["priority"]: one for one in old["priorities"]}
            for priority in new["priorities"]:
                self.by_priority(f"{new['link']} {new['direction']}", known.get(priority["priority"], {}), priority)

    def by_priority(self, at, before, after):
        self.add("CE marks", after["ce_marks"] - before.get("ce_marks", 0))
        self.add("pauses sent", after["pauses_sent"] - before.get("pauses_sent", 0))
        for reason, number in after["drops"].items():
            self.add(f"{reason} at {at}", number - before.get("drops", {}).get(reason, 0))
        if after["priority"] == 0:
            self.add(f"priority 0 at {at}", after["sent_packets"] - before.get("sent_packets", 0))

    def by_devices(self, document):
        for port in document["counters"]:
            for name, number in port["after"].items():
                if name in OF_DEVICES:
                    self.add(name, number - port["before"][name])
                elif re.fullmatch(r"rx_prio\d_pause", name):
                    self.add("pauses heard", number - port["before"][name])


def spines_of_first_leaf(before, after):
    """Those that it sent packets to."""
    def sent(counters):
        return {one["to"]: sum(priority["sent_packets"] for priority in one["priorities"])
                for one in counters["directions"] if one["from"] == "leaf0-0" and one["to"].startswith("spine")}
    old = sent(before)
    return {spine for spine, packets in sent(after).items() if packets > old[spine]}

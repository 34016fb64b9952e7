#include "topology/fabric_cases.hpp"

namespace railgauge::topology::table {
namespace {

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<FabricCase> healthy_addresses() {
  std::vector<FabricCase> all;
  const auto add = [&](const char* name, Boards boards, Parts said = {}, int rails = 8) {
    all.push_back({name, std::move(boards), {}, rails, std::move(said)});
  };
  add("one host", fabric(1));
  add("two hosts", fabric(2), {"by shared subnets"});
  add("1,024 hosts", thousand(), {"by shared subnets"});
  add("routed, /31", routed(4), {"by PCI order"});
  add("routed, /31, two hosts", routed(2), {"by PCI order"});
  add("routed, /30",
      addressed(fabric(4),
                [](int host, int rail) {
                  return "10.200." + text(host) + "." + text(rail * 4 + 2) + "/30";
                }),
      {"by PCI order"});
  add("routed, /30, two hosts",
      addressed(fabric(2),
                [](int host, int rail) {
                  return "10.200." + text(host) + "." + text(rail * 4 + 2) + "/30";
                }),
      {"by PCI order"});
  add("routed, /32 of a loopback of each rail", fabric(4, gcp), {"by PCI order"});
  add("routed, /127",
      addressed(
          fabric(4),
          [](int host, int rail) { return "fd00:" + text(host) + ":" + text(rail) + "::1/127"; }),
      {"by PCI order"});
  add("routed, /64 by SLAAC",
      addressed(fabric(4),
                [](int host, int rail) {
                  return "2001:db8:" + text(host) + text(rail) + "::a" + text(host) + "/64";
                }),
      {"by PCI order"});
  add("a /64 for each rail",
      addressed(
          fabric(4),
          [](int host, int rail) { return "fd00:" + text(rail) + "::" + text(host + 1) + "/64"; }),
      {"by shared subnets"});
  add("a subnet for each rail and leaf", in_leaf_groups(8, 4));
  add("a subnet for each rail and leaf, four leaves", in_leaf_groups(16, 4));
  add("one host alone behind its leaf", in_leaf_groups(5, 4), {"reachability_perf"});
  add("a host behind each leaf", in_leaf_groups(4, 1), {"by PCI order"});
  add("a subnet for each rack",
      addressed(fabric(6),
                [](int host, int rail) {
                  return "10.5." + text(host / 2) + "." + text(host * 8 + rail + 1) + "/24";
                }),
      {"by PCI order"});
  add("/31 on four rails, /24 on four", addressed(fabric(4), [](int host, int rail) {
        return rail < 4 ? rail_address(rail, host) : point_to_point(host, rail);
      }));
  add("two stripes of four rails",
      addressed(fabric(4),
                [](int host, int rail) {
                  return "10.6." + text(rail / 4) + "." + text(host * 4 + rail % 4 + 1) + "/24";
                }),
      {"by PCI order"});
  add("one flat subnet", flat(4), {"by PCI order", "set arp_ignore=1 and arp_announce=2"});
  add("one flat subnet, two hosts", flat(2), {"by PCI order"});
  add("IPv4 link-local", link_local(4), {"by PCI order"});
  add("a routed host of another design",
      changed(routed(4),
              [](Boards& b) {
                for (int rail = 0; rail < 8; ++rail) {
                  nic(b, 2, std::size_t(rail)).addresses = {"10.200.2." + text(rail * 4 + 2) +
                                                            "/30"};
                }
              }),
      {"prefix length 30, expected 31"});
  add("an anycast address on every NIC",
      each(fabric(4),
           [](int, int rail, BoardNic& nic) {
             nic.addresses.push_back("172.20.0." + text(rail) + "/32");
           }),
      {"by shared subnets"});
  add("addresses that end in 0 and 255",
      addressed(fabric(2),
                [](int host, int rail) {
                  return "10." + text(rail + 10) + ".1." + text(host * 255) + "/16";
                }),
      {"by shared subnets"});
  add("DGX Spark, link-local", fabric(2, spark), {"169.254."}, 2);
  add("two hosts, one rail, routed",
      addressed(fabric(2,
                       [](int host) {
                         Board board = eight_rails(host);
                         board.nics.resize(1);
                         return board;
                       }),
                [](int host, int) { return "10.7." + text(host) + ".2/24"; }),
      {"reachability_perf"}, 1);
  add("rails with a gap in their numbers",
      addressed(fabric(4),
                [](int host, int rail) { return rail_address(rail < 4 ? rail : rail + 6, host); }),
      {"by shared subnets"});
  add("a second address on every NIC",
      each(fabric(4),
           [](int host, int rail, BoardNic& nic) {
             nic.addresses.push_back("172.20." + text(rail) + "." + text(host + 1) + "/24");
           }),
      {"by shared subnets"});
  add("pods that see the host's GIDs, too",
      each(fabric(4),
           [](int host, int rail, BoardNic& nic) {
             nic.foreign = {"10.44." + text(rail) + "." + text(host + 1)};
           }),
      {"10.13.0.2/24"});
  add("half the hosts with /16",
      changed(fabric(4),
              [](Boards& b) {
                for (int host = 2; host < 4; ++host) {
                  for (int rail = 0; rail < 8; ++rail) {
                    nic(b, std::size_t(host), std::size_t(rail)).addresses = {
                        rail_address(rail, host, 0, 16)};
                  }
                }
              }),
      {"/16", "/24"});
  return all;
}

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<FabricCase> healthy_boards() {
  std::vector<FabricCase> all;
  const auto add = [&](const char* name, Boards boards, Parts said = {}, int rails = 8) {
    all.push_back({name, std::move(boards), {}, rails, std::move(said)});
  };
  add("VMs with random PCI domains", virtual_machines(4), {"by shared subnets"});
  add("two VMs with random PCI domains", virtual_machines(2), {"by shared subnets"});
  add("another board revision",
      changed(fabric(4),
              [](Boards& b) {
                for (std::size_t rail = 0; rail < 8; ++rail) {
                  BoardNic& one = nic(b, 2, rail);
                  one.pci = "0000:" + hexadecimal(0xf0 - 0x10 * int(rail)) + ":00.0";
                  one.bridges.clear();
                }
              }),
      {"another board order"});
  add("another board revision in a routed fabric",
      changed(routed(4),
              [](Boards& b) {
                for (std::size_t rail = 0; rail < 8; ++rail) {
                  BoardNic& one = nic(b, 2, rail);
                  one.pci = "0000:" + hexadecimal(0xf0 - 0x10 * int(rail)) + ":00.0";
                  one.bridges.clear();
                }
              }),
      {"--rail-map", "reachability_perf"});
  add("one host with other names",
      changed(fabric(4),
              [](Boards& b) {
                for (BoardNic& one : b[1].nics) one.device = "rocep" + one.device.substr(5) + "s0";
              }),
      {"by shared subnets"});
  add("one host with names in another order",
      changed(fabric(4),
              [](Boards& b) {
                for (std::size_t rail = 0; rail < 8; ++rail) {
                  nic(b, 1, rail).device = "mlx5_" + text(7 - int(rail));
                  nic(b, 1, rail).netdev = "enp_mlx5_" + text(7 - int(rail));
                }
              }),
      {"by shared subnets"});
  add("half the hosts in another order", changed(fabric(4), [](Boards& b) {
        for (std::size_t host = 2; host < 4; ++host)
          swap_addresses(b[host], 0, 1), swap_addresses(b[host], 4, 5);
      }));
  add("storage of the same model at 200", with_storage(4, 200, "192.168."), {"storage"});
  add("storage of the same model at 400", with_storage(4, 400, "192.168."), {"storage"});
  add("storage of the same model at 400, two hosts", with_storage(2, 400, "192.168."), {"storage"});
  add("storage at 400 by its name", with_storage(4, 400, "10.9.", "stor"), {"stor"});
  add("storage at 200 in the next subnets", with_storage(4, 200, "10.20."), {"storage"});
  add("storage at 200, on one host", with_storage(1, 200, "192.168."), {"storage"});
  add("storage at 200, on one host at the rails' speed",
      changed(with_storage(4, 200, "192.168."), [](Boards& b) { nic(b, 2, 8).gigabits = 400; }),
      {"storage"});
  add("storage at 400 in a routed fabric",
      changed(with_storage(4, 400, "192.168."),
              [](Boards& b) {
                for (int host = 0; host < 4; ++host) {
                  for (int rail = 0; rail < 8; ++rail) {
                    nic(b, std::size_t(host), std::size_t(rail)).addresses = {
                        point_to_point(host, rail)};
                  }
                }
              }),
      {"storage"});
  all.push_back({"the storage fabric itself", with_storage(4, 400, "192.168."), {}, 2, {"mlx5_8"}});
  all.back().wishes.include = PortPattern("=mlx5_8,mlx5_9");
  add("management of the same model at 25", fabric(4, broadcom), {"25 Gb/s"});
  add("a slow NIC of another model on one host",
      changed(fabric(4),
              [](Boards& b) {
                BoardNic extra = storage_nic(0, "192.168.9.3/24");
                extra.model = "MT4119";
                extra.gigabits = 100;
                b[2].nics.push_back(extra);
              }),
      {"mlx5_8:1: "});
  add("a spare port, unplugged", spare_unplugged(4), {"mlx5_8:1: its port is DOWN"});
  add("a spare port, unplugged, two hosts", spare_unplugged(2));
  add("a spare port, on one host plugged in",
      changed(spare_unplugged(4), [](Boards& b) { nic(b, 2, 8).state = "4: ACTIVE"; }));
  add("bonds everywhere", fabric(4, bonded), {"by shared subnets"});
  add("bonds of one NIC everywhere",
      each(fabric(4, bonded), [](int, int, BoardNic& nic) { nic.members.resize(1); }),
      {"by shared subnets"});
  add("both speeds of a port agree",
      each(fabric(2), [](int, int, BoardNic& nic) { nic.netdev_megabits = 400000; }), {"PASS"});
  add("an RDMA driver that does not know the link mode",
      changed(fabric(3),
              [](Boards& b) {
                for (Board& board : b) {
                  for (BoardNic& one : board.nics) one.netdev_megabits = 400000;
                }
                nic(b, 1, 3).gigabits = 40;
              }),
      {"node1 mlx5_3 (rail 3): link speed is uncertain: the RDMA device reports 40 Gb/s, "
       "enp_mlx5_3 400 Gb/s"});
  add("two boards", two_boards(7, 4), {"by shared subnets"});
  add("two boards, one with another order of rails",
      changed(two_boards(7, 4),
              [](Boards& b) {
                for (std::size_t host = 4; host < 7; ++host) swap_addresses(b[host], 0, 1);
              }),
      {"another board order"});
  add("DGX Spark, ports of 200 Gb/s on x4",
      each(fabric(1, spark),
           [](int, int, BoardNic& nic) {
             nic.gigabits = 200;
             nic.device_lanes = 4;
             nic.bridges = {nic.pci.substr(0, 4) + ":00:00.0"};
           }),
      {"the device supports no more"}, 2);
  add("management at 100 with the default route",
      changed(with_storage(4, 100, "10.90."),
              [](Boards& b) {
                for (Board& board : b) {
                  board.nics.pop_back();
                  board.default_route = board.nics.back().netdev;
                }
              }),
      {"management: mlx5_8 on 4 hosts"});
  add("hosts of two generations, half and half",
      changed(fabric(4), [](Boards& b) { make_older(b[2]), make_older(b[3]); }), {"MT4123"});
  add("one host of an older generation", changed(fabric(4), [](Boards& b) { make_older(b[2]); }),
      {"MT4123"});
  add("two hosts, one at half the speed",
      changed(fabric(2),
              [](Boards& b) {
                for (BoardNic& one : b[1].nics) one.gigabits = 200;
              }),
      {"200"});
  add("OCI: 16 rails and a front end", fabric(4, oci), {"by shared subnets"}, 16);
  add("GCP: /32, names of their own", fabric(4, gcp), {"by PCI order"});
  add("PCIe 4.0 under 400 Gb/s, on all hosts",
      each(fabric(4),
           [](int, int, BoardNic& nic) {
             nic.speed = "16.0 GT/s PCIe";
             nic.slot_lanes = 16;
           }),
      {"252"});
  add("one host with four NUMA nodes a socket", changed(fabric(4), [](Boards& b) {
        for (std::size_t rail = 0; rail < 8; ++rail) nic(b, 2, rail).node = int(rail);
      }));
  add("the default route leaves by the first rail", each(fabric(4), [](int, int, BoardNic&) {}));
  for (Board& board : all.back().boards) board.default_route = "enp_mlx5_0";
  all.push_back({"crossed as the map says",
                 changed(fabric(4), [](Boards& b) { swap_addresses(b[2], 2, 3); }),
                 {},
                 8,
                 {"by user map"}});
  all.back().wishes.rail_map =
      parse_rail_map("mlx5_0=0,mlx5_1=1,mlx5_2=2,mlx5_3=3,mlx5_4=4,mlx5_5=5,mlx5_6=6,mlx5_7=7");
  add("another firmware on one NIC",
      changed(fabric(4), [](Boards& b) { nic(b, 2, 3).firmware = "28.37.1014"; }),
      {"node2 mlx5_3 (rail 3)", "28.37.1014", "28.39.1002"});
  add("another firmware on half the hosts",
      changed(fabric(4),
              [](Boards& b) {
                for (std::size_t host = 2; host < 4; ++host) {
                  for (BoardNic& one : b[host].nics) one.firmware = "28.37.1014";
                }
              }),
      {"28.37.1014"});
  add("another MTU on one NIC", changed(fabric(4), [](Boards& b) { nic(b, 2, 3).mtu = 1500; }),
      {"node2 mlx5_3 (rail 3)", "1500", "9000"});
  add("PCIe narrower, and still enough for most",
      changed(fabric(4),
              [](Boards& b) {
                nic(b, 2, 3).gigabits = nic(b, 0, 3).gigabits = 400;
                for (Board& board : b) {
                  for (BoardNic& one : board.nics) one.gigabits = 200;
                }
                nic(b, 2, 3).lanes = 8;
              }),
      {"node2 mlx5_3 (rail 3)", "x8"});
  return all;
}

/// Azure's: InfiniBand, which is no rail here, and a virtual function for the rest.
Board azure(int host) {
  Board board = eight_rails(host);
  board.default_route = "eth0";
  for (BoardNic& one : board.nics) {
    one.link_layer = "InfiniBand";
    one.addresses.clear();
  }
  BoardNic front{.device = "mlx5_an0",
                 .pci = hexadecimal(host + 16) + "f2:00:02.0",
                 .addresses = {"10.0.0." + text(host + 4) + "/24"}};
  front.netdev = "eth1";
  front.gigabits = 100;
  front.model = "MT4124";
  board.nics.push_back(front);
  return board;
}

/// AWS's: EFA, which is not RoCE.
Board aws(int host) {
  Board board = eight_rails(host);
  for (BoardNic& one : board.nics) {
    one.link_layer = "Unknown";
    one.model = "EFA";
    one.addresses.clear();
  }
  return board;
}

std::vector<FabricCase> healthy_variations() {
  std::vector<FabricCase> all;
  const auto add = [&](const char* name, Boards boards, Parts said = {}, int rails = 8) {
    all.push_back({name, std::move(boards), {}, rails, std::move(said)});
  };
  add("Azure: InfiniBand and a front end", fabric(4, azure), {}, 1);
  add("AWS: EFA", fabric(4, aws), {"None of this host's ports is a rail"}, 0);
  add("storage down on one host",
      changed(with_storage(4, 400, "192.168."), [](Boards& b) { take_down(nic(b, 2, 8)); }),
      {"storage"});
  add("storage at 200 down on one host",
      changed(with_storage(4, 200, "192.168."),
              [](Boards& b) { take_down(nic(b, 2, 8)), take_down(nic(b, 2, 9)); }),
      {"storage"});
  add("storage down on most hosts",
      changed(with_storage(4, 400, "192.168."),
              [](Boards& b) {
                for (std::size_t host = 1; host < 4; ++host) take_down(nic(b, host, 8));
              }),
      {"storage"});
  add("storage at 100 down on most hosts",
      changed(with_storage(4, 100, "192.168."),
              [](Boards& b) {
                for (std::size_t host = 0; host < 3; ++host)
                  take_down(nic(b, host, 8)), take_down(nic(b, host, 9));
              }),
      {"PASS"});
  add("a spare port, on one host a link to storage",
      changed(spare_unplugged(4),
              [](Boards& b) {
                nic(b, 2, 8).state = "4: ACTIVE";
                nic(b, 2, 8).addresses = {"192.168.1.3/24"};
              }),
      {"PASS"});
  add("storage on half the hosts",
      changed(with_storage(4, 400, "192.168."),
              [](Boards& b) { b[0].nics.resize(8), b[1].nics.resize(8); }),
      {"storage"});
  add("storage on two of six hosts, by its name",
      changed(with_storage(6, 400, "192.168.", "stor"),
              [](Boards& b) {
                for (std::size_t host = 0; host < 4; ++host) b[host].nics.resize(8);
              }),
      {"stor"});
  add("VMs with random PCI domains, routed",
      changed(virtual_machines(4),
              [](Boards& b) {
                for (int host = 0; host < 4; ++host) {
                  for (int rail = 0; rail < 8; ++rail) {
                    nic(b, std::size_t(host), std::size_t(rail)).addresses = {
                        point_to_point(host, rail)};
                  }
                }
              }),
      {"--rail-map", "reachability_perf"});
  add("1,024 hosts, routed",
      addressed(fabric(1024),
                [](int host, int rail) {
                  return "10." + text(host / 250) + "." + text(host % 250) + "." + text(rail * 2) +
                         "/31";
                }),
      {"by PCI order"});
  add("two hosts behind a leaf each", in_leaf_groups(2, 1), {"by PCI order"});
  add("two hosts with other names for the same NICs", changed(fabric(2), [](Boards& b) {
        for (BoardNic& one : b[1].nics) one.device = "rocep" + one.device.substr(5) + "s0";
      }));
  add("a NIC in another slot of the same socket",
      changed(fabric(4), [](Boards& b) { nic(b, 2, 3).pci = "0000:4a:00.0"; }));
  add("the default route leaves by storage",
      changed(with_storage(4, 400, "192.168."),
              [](Boards& b) {
                for (Board& board : b) board.default_route = "enp_mlx5_8";
              }),
      {"management"});
  add("bonds at the front end",
      changed(fabric(4),
              [](Boards& b) {
                for (std::size_t host = 0; host < 4; ++host) {
                  BoardNic bond = storage_nic(0, "10.200.0." + text(int(host) + 1) + "/24");
                  bond.device = "mlx5_bond_0";
                  bond.netdev = "bond0";
                  bond.members = {"eno1", "eno2"};
                  b[host].nics.push_back(bond);
                }
              }),
      {"bond"});
  return all;
}

/// The same change to one NIC of every host.
Boards alike(Boards boards, std::size_t which, const std::function<void(BoardNic&)>& change) {
  for (Board& board : boards) change(board.nics.at(which));
  return boards;
}

void lose_gid(BoardNic& nic) {
  nic.addresses.swap(nic.without_gid);
}

/// What is so on all hosts may be meant so: a warning if it looks as if it were not, and no fault.
std::vector<FabricCase> odd_alike() {
  std::vector<FabricCase> all;
  const auto add = [&](const char* name, Boards boards, Parts warning, int rails = 7) {
    all.push_back({name, std::move(boards), {}, rails, {"PASS"}, {}, 1, {std::move(warning)}});
  };
  const auto halve = [](BoardNic& nic) { nic.gigabits = 200; };
  add("a rail without its GID on all hosts", alike(fabric(4), 2, lose_gid),
      {"missing rail: mlx5_2 is a rail on none of 4 hosts",
       "node0: no GID has the address 10.12.0.1", "--exclude =mlx5_2"});
  add("a rail of RoCE v1 alone on all hosts",
      alike(fabric(2), 7, [](BoardNic& nic) { nic.version1 = true; }),
      {"missing rail: mlx5_7", "its GIDs are of RoCE v1 only"});
  add("a rail that is down on all hosts",
      alike(fabric(4), 0, [](BoardNic& nic) { nic.state = "1: DOWN"; }),
      {"missing rail: mlx5_0", "its port is DOWN"});
  add("a rail without its GID on all VMs", alike(virtual_machines(4), 3, lose_gid),
      {"missing rail: mlx5_3", "no GID"});
  add("a rail at half the speed on all hosts", alike(fabric(4), 5, halve),
      {"slow link: mlx5_5 is a rail on none of 4 hosts", "200 Gb/s, the rails 400",
       "speed of the switch's ports"});
  add("the last rail at half the speed on all hosts", alike(fabric(4), 7, halve),
      {"slow link: mlx5_7"});
  add("a rail at half the speed on all hosts, routed", alike(routed(4), 3, halve),
      {"slow link: mlx5_3"});
  Boards pairs = alike(fabric(3), 1, halve);
  for (Board& board : pairs) board.nics.resize(2);
  add("one of two rails at half the speed on all hosts", std::move(pairs), {"slow link: mlx5_1"},
      1);
  Boards three = fabric(4);
  for (const std::size_t rail : {0, 1, 2}) three = alike(std::move(three), rail, halve);
  add("three rails at half the speed on all hosts", std::move(three),
      {"slow link: mlx5_0", "mlx5_1", "mlx5_2"}, 5);
  return all;
}

/// Twins of those, of which amiss() wants no such warning.
std::vector<FabricCase> meant_alike() {
  std::vector<FabricCase> all;
  const auto add = [&](const char* name, Boards boards, int rails = 8, NicWishes wishes = {}) {
    all.push_back({name, std::move(boards), {}, rails, {"PASS"}, std::move(wishes)});
  };
  const auto down = [](BoardNic& nic) { nic.state = "1: DOWN"; };
  Boards management = alike(with_storage(4, 400, "192.168."), 8, down);
  for (Board& board : management) board.default_route = board.nics[8].netdev;
  add("the default route's port is down on all hosts", std::move(management));
  add("a front end of another model without GIDs",
      alike(with_storage(4, 400, "192.168."), 8, [](BoardNic& nic) {
        nic.model = "MT4125";
        lose_gid(nic);
      }));
  add("IP over InfiniBand on ports of the rails' model",
      alike(fabric(4), 2, [](BoardNic& nic) { nic.link_layer = "InfiniBand"; }), 7);
  add("a NIC without an address on all hosts",
      alike(fabric(4), 2, [](BoardNic& nic) { nic.addresses.clear(); }), 7);
  add("a NIC without its GID that the user excludes", alike(fabric(4), 2, lose_gid), 7,
      {.exclude = PortPattern("=mlx5_2")});
  add("a NIC without its GID that the rail map leaves out", alike(fabric(4), 2, lose_gid), 2,
      {.rail_map = parse_rail_map("mlx5_0=0,mlx5_1=1")});
  add("storage at 100 in the next subnets", with_storage(4, 100, "10.18."));
  return all;
}

}  // namespace

std::vector<FabricCase> healthy_fabrics() {
  std::vector<FabricCase> all;
  for (auto& part : {healthy_addresses(), healthy_boards(), healthy_variations(), odd_alike(),
                     meant_alike(), healthy_planes()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace railgauge::topology::table

"""Published machines, as facts: what a public file or page says of nodes, cpus, PCI devices and their
names. made_up() says what is not published.

published_machines_test.cpp has what is to be read out of each, which was written before it was first run.
"""


def made_up(number):
    """Of the port of a rail: an address of its own subnet, and that it is Ethernet, whatever the source has."""
    return f"10.{10 + number}.0.7/24"


def storage(number):
    return f"192.168.{number}.7/24"


def even_nodes(node, count, cores, threads_from=None):
    """As many nodes with as many cores, which the system numbers one after the other."""
    return [node(i, range(i * cores, (i + 1) * cores), threads_from + i * cores if threads_from else None)
            for i in range(count)]


def rails(nic, devices, **more):
    """(name, PCI address, node) or with bridges, in the order of their rails."""
    return [nic(name, pci, made_up(i), node=where, bridges=list(bridges), **more)
            for i, (name, pci, where, *bridges) in enumerate(devices)]


def azure_nd_a100_v4(node, nic):
    """github.com/Azure/azhpc-images, topology/ndv4-topo.xml. The names are Azure's, by PCI domain."""
    where = [1, 1, 0, 0, 3, 3, 2, 2]
    devices = [(f"mlx5_ib{i}", f"010{i + 1}:00:00.0", where[i]) for i in range(8)]
    return {"nodes": even_nodes(node, 4, 24), "nics": rails(
        nic, devices, model="MT4124", rate="200 Gb/sec (4X HDR)", now=(16, 16), most=(16, 16), slot=(16, 16))}


def azure_nd_h100_v5(node, nic):
    """github.com/Azure/azhpc-images, topology/ndv5-topo.xml: node 0 has the higher half of the cpus."""
    devices = [(f"mlx5_ib{i}", f"010{i + 1}:00:00.0", i // 4) for i in range(8)]
    return {"nodes": [node(0, range(48, 96)), node(1, range(48))], "nics": rails(nic, devices)}


def azure_nd_mi300x_v5(node, nic):
    """github.com/ROCm/rccl, tools/topo_expl/models/topo_8p_942vm.xml: names are not in PCI order."""
    names = [2, 0, 1, 3, 5, 6, 7, 4]
    devices = [(f"mlx5_{names[i]}", f"00{i + 1}0:00:00.0", i // 4) for i in range(8)]
    return {"nodes": even_nodes(node, 2, 48), "nics": rails(nic, devices, model="MT4126")}


def aws_p4d(node, nic):
    """github.com/aws/aws-ofi-nccl, topology/p4d-24xl-topo.xml."""
    devices = [(f"rdmap{int(bus, 16)}s27", f"0000:{bus}:1b.0", i // 2)
               for i, bus in enumerate(["10", "20", "90", "a0"])]
    return {"nodes": even_nodes(node, 2, 24, 48), "nics": rails(
        nic, devices, model="0xefa0", driver="efa", rate="100 Gb/sec (4X EDR)",
        now=(8, 16), most=(8, 16), slot=(8, 16))}


def aws_p5(node, nic):
    """github.com/aws/aws-ofi-nccl, topology/p5.48xl-topo.xml: 32 NICs, four below each bridge, and one node."""
    first_buses = [0x50, 0x61, 0x71, 0x81, 0x91, 0xa1, 0xb1, 0xc1]
    first_names = [79, 96, 113, 130, 147, 164, 181, 198]
    devices = [(f"rdmap{first_names[group] + i}s0", f"0000:{first_buses[group] + i:02x}:00.0", 0, f"0000:0{group}:00.0")
               for group in range(8) for i in range(4)]
    return {"nodes": [node(0, range(48))], "nics": rails(
        nic, devices, model="0xefa2", driver="efa", rate="100 Gb/sec (4X EDR)",
        now=(16, 8), most=(16, 8), slot=(16, 16))}


def dgx_a100(node, nic):
    """github.com/Keysight/infragraph, mock_data/dgx_a100_nccl_topo.xml (NCCL's dump of a DGX A100): eight nodes,
    eight compute NICs below switches and two cards with two ports each. The cards' second functions, and that
    they are for storage, are NVIDIA's DGX A100 User Guide's."""
    compute = rails(nic, [
        ("mlx5_0", "0000:0c:00.0", 3, "0000:01:00.0", "0000:0a:00.0"),
        ("mlx5_1", "0000:12:00.0", 3, "0000:01:00.0", "0000:10:00.0"),
        ("mlx5_2", "0000:4b:00.0", 1, "0000:41:00.0", "0000:49:00.0"),
        ("mlx5_3", "0000:54:00.0", 1, "0000:41:00.0", "0000:50:00.0"),
        ("mlx5_6", "0000:8d:00.0", 7, "0000:81:00.0", "0000:8b:00.0"),
        ("mlx5_7", "0000:94:00.0", 7, "0000:81:00.0", "0000:92:00.0"),
        ("mlx5_8", "0000:ba:00.0", 5, "0000:b1:00.0", "0000:b8:00.0"),
        ("mlx5_9", "0000:cc:00.0", 5, "0000:b1:00.0", "0000:be:00.0")],
        model="MT4123", rate="200 Gb/sec (4X HDR)", now=(16, 16), most=(16, 16), slot=(16, 16))
    cards = [nic(name, pci, storage(i), node=where, model="MT4123", now=(16, 16), most=(16, 16), slot=(16, 16),
                 rate="200 Gb/sec (4X HDR)" if i % 2 == 0 else "100 Gb/sec (4X EDR)")
             for i, (name, pci, where) in enumerate([("mlx5_4", "0000:61:00.0", 0), ("mlx5_5", "0000:61:00.1", 0),
                                                     ("mlx5_10", "0000:e1:00.0", 4), ("mlx5_11", "0000:e1:00.1", 4)])]
    return {"nodes": even_nodes(node, 8, 16, 128), "nics": compute + cards}


def dgx_h100(node, nic):
    """NVIDIA DGX H100/H200 User Guide, "Network Ports": PCI addresses and names of ports and their use."""
    compute = rails(nic, [("mlx5_0", "0000:18:00.0", 0), ("mlx5_3", "0000:40:00.0", 0), ("mlx5_4", "0000:4f:00.0", 0),
                          ("mlx5_5", "0000:5e:00.0", 0), ("mlx5_6", "0000:9a:00.0", 1), ("mlx5_9", "0000:c0:00.0", 1),
                          ("mlx5_10", "0000:ce:00.0", 1), ("mlx5_11", "0000:dc:00.0", 1)])
    cards = [nic(name, pci, storage(i), node=i // 2)
             for i, (name, pci) in enumerate([("mlx5_1", "0000:29:00.0"), ("mlx5_2", "0000:29:00.1"),
                                              ("mlx5_7", "0000:aa:00.0"), ("mlx5_8", "0000:aa:00.1")])]
    return {"nodes": even_nodes(node, 2, 56, 112), "nics": compute + cards}


def amd_mi350x(node, nic):
    """github.com/ROCm/rccl, tools/topo_expl/models/topo_8p_950.xml: a Broadcom NIC and a GPU below each switch."""
    devices = [(f"bnxt_re{i}", f"0000:{bus}3:00.0", i // 4, f"0000:{bus}1:00.0")
               for i, bus in enumerate(["0", "1", "6", "7", "8", "9", "e", "f"])]
    return {"nodes": even_nodes(node, 2, 96, 192), "nics": rails(nic, devices, model="BCM57608", driver="bnxt_en")}


def dgx_spark(node, nic):
    """github.com/open-mpi/hwloc, tests/hwloc/linux/nvidia-dgx-gb10.xml, for cpus; names and PCI addresses of the
    ConnectX-7's four functions: NVIDIA DGX Spark User Guide, "Spark Stacking". Addresses of one cable, as advised."""
    functions = [("rocep1s0f0", "0000:01:00.0"), ("rocep1s0f1", "0000:01:00.1"),
                 ("roceP2p1s0f0", "0002:01:00.0"), ("roceP2p1s0f1", "0002:01:00.1")]
    return {"nodes": [node(0, range(20), memory_gib=119)],
            "nics": [nic(name, pci, f"169.254.{i + 1}.7/24", rate="200 Gb/sec (2X NDR)", now=None, most=None)
                     for i, (name, pci) in enumerate(functions)]}


def gpu_memory(node, numbers, near, gib):
    """The first of eight nodes is a GPU's memory, the others are for its parts and empty until there are some."""
    return [node(number, [], memory_gib=gib if i == 0 else 0, near=near, kind="GPUMemory")
            for i, number in enumerate(numbers)]


def gh200(node, _):
    """github.com/bytedance/xpu-perf, issue 129: lscpu of a GH200: 9 nodes, of which one has cpus."""
    return {"nodes": [node(0, range(72), memory_gib=480), *gpu_memory(node, range(1, 9), 0, 96)], "nics": []}


def gh200_four(node, _):
    """github.com/NVIDIA/mlperf-common, pull request 16: four GH200, 36 nodes, of which four have cpus."""
    nodes = [node(i, range(72 * i, 72 * i + 72), memory_gib=120) for i in range(4)]
    for i in range(4):
        nodes += gpu_memory(node, range(4 + 8 * i, 12 + 8 * i), i, 96)
    return {"nodes": nodes, "nics": []}


def gb200(node, nic):
    """github.com/sgl-project/sglang, issue 11208: nvidia-smi topo -m of a GB200 tray: two nodes with cpus, four with
    a GPU's memory (2, 10, 18, 26), empty ones up to 33. NICs: NVIDIA Mission Control, north-south networking for GB200,
    "Compute Tray Network Ports". That the left bay's are on node 0 is made up."""
    nodes = [node(0, range(72), memory_gib=480), node(1, range(72, 144), memory_gib=480)]
    for gpu in range(4):
        nodes += gpu_memory(node, range(2 + 8 * gpu, 10 + 8 * gpu), gpu // 2, 186)
    compute = rails(nic, [("mlx5_0", "0000:03:00.0", 0), ("mlx5_1", "0002:03:00.0", 0),
                          ("mlx5_4", "0010:03:00.0", 1), ("mlx5_5", "0012:03:00.0", 1)])
    cards = [nic(name, pci, storage(i), node=i // 2, rate="200 Gb/sec (2X NDR)")
             for i, (name, pci) in enumerate([("mlx5_2", "0006:03:00.0"), ("mlx5_3", "0006:03:00.1"),
                                              ("mlx5_6", "0016:03:00.0"), ("mlx5_7", "0016:03:00.1")])]
    return {"nodes": nodes, "nics": compute + cards}


def xeon_max_flat(node, nic):
    """github.com/open-mpi/hwloc, tests/hwloc/x86/Intel-SapphireRapids-2xXeonMax9460 (2 x 40 cores), in flat mode with
    SNC4 as Lenovo Press LP1738 describes it: nodes 0 to 7 with cpus and DRAM, 8 to 15 with HBM. One NIC, made up."""
    nodes = even_nodes(node, 8, 10, 80)
    nodes += [node(8 + i, [], memory_gib=16, near=i, kind="HBM") for i in range(8)]
    return {"nodes": nodes, "nics": rails(nic, [("mlx5_0", "0000:9a:00.0", 4)])}


def knl_snc4_flat(node, _):
    """github.com/open-mpi/hwloc, tests/hwloc/xml/64intel64-fakeKNL-SNC4-hybrid.xml: MCDRAM nodes in another order."""
    nodes = [node(i, range(4 * i, 4 * i + 4), 16 + 4 * i, memory_gib=1, more_threads=(32 + 4 * i, 48 + 4 * i))
             for i in range(4)]
    nodes += [node(number, [], memory_gib=2, near=near, kind="MCDRAM") for near, number in enumerate([7, 4, 5, 6])]
    return {"nodes": nodes, "nics": []}


def power9_with_gpu_nodes(node, _):
    """github.com/open-mpi/hwloc, tests/hwloc/linux/nvidiagpunumanodes.kept.output: nodes 0 and 8, and six GPUs'."""
    nodes = [node(0, range(0, 88, 4), memory_gib=124), node(8, range(88, 176, 4), memory_gib=128)]
    nodes += [node(number, [], memory_gib=15, near=0, kind="GPUMemory") for number in (253, 254, 255)]
    nodes += [node(number, [], memory_gib=15, near=8, kind="GPUMemory") for number in (250, 251, 252)]
    return {"nodes": nodes, "nics": []}


def westmere(node, nic):
    """github.com/open-mpi/hwloc, tests/hwloc/xml/24em64t-2n6c2t-pci.xml: even cpus on one socket, odd ones on the
    other."""
    nodes = [node(i, range(i, 12, 2), 12 + i, memory_gib=18, step=2) for i in range(2)]
    return {"nodes": nodes, "nics": rails(nic, [("mlx4_0", "0000:05:00.0", 0, "0000:00:05.0")], model="MT26428",
                                          rate="10 Gb/sec (4X SDR)", now=None, most=None, driver="mlx4_core")}


def twenty_four_nodes(node, nic):
    """github.com/open-mpi/hwloc, tests/hwloc/xml/192em64t-12gr2n8c2t.xml: 24 nodes of 8 cores; its RDMA device."""
    return {"nodes": even_nodes(node, 24, 8, 192), "nics": rails(
        nic, [("mlx4_0", "0003:01:00.0", 6, "0003:00:03.0")], model="MT26428", rate="40 Gb/sec (4X QDR)", now=None,
        most=None, driver="mlx4_core")}


def machines(node, nic):
    """All of them, for bundles/make and its node() and nic()."""
    makers = (azure_nd_a100_v4, azure_nd_h100_v5, azure_nd_mi300x_v5, aws_p4d, aws_p5, dgx_a100, dgx_h100, amd_mi350x,
              dgx_spark, gh200, gh200_four, gb200, xeon_max_flat, knl_snc4_flat, power9_with_gpu_nodes, westmere,
              twenty_four_nodes)
    return {maker.__name__: maker(node, nic) for maker in makers}

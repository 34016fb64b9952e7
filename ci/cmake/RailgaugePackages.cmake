# The .debs that `cpack` writes: railgauge, what measures; libsoftroce, devices in software for any verbs
# program; railgauge-lab, hosts and switches on one machine; railgauge-dev, to build on railgauge's layers.

# The licences: ours, which Debian keeps once for all, and that of the plotting library that every report
# contains.
file(READ lib/report/vendor/uplot/LICENSE uplot_licence)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  lib/report/vendor/uplot/LICENSE CHANGELOG.md)
set(documents ${PROJECT_BINARY_DIR}/documents)
file(WRITE ${documents}/copyright "railgauge is under the Apache License, Version 2.0. On Debian systems its "
  "text is in\n/usr/share/common-licenses/Apache-2.0.\n\n"
  "railgauge's reports contain uPlot (https://github.com/leeoniya/uPlot), under this licence:\n\n"
  "${uplot_licence}")

# Debian wants a list of changes in its own form, compressed; ours, for readers, lies beside it.
set(maintainers "railgauge maintainers <maintainers@railgauge.invalid>")
string(TIMESTAMP today "%a, %d %b %Y 00:00:00 +0000" UTC)
file(WRITE ${documents}/changelog "railgauge (${PROJECT_VERSION}) bookworm; urgency=medium\n\n"
  "  * See CHANGELOG.md.\n\n -- ${maintainers}  ${today}\n")
configure_file(CHANGELOG.md ${documents}/CHANGELOG.md COPYONLY)
execute_process(COMMAND gzip --best --no-name --force changelog CHANGELOG.md
  WORKING_DIRECTORY ${documents})

# package(COMPONENT NAME SECTION SUMMARY TEXT)
macro(package component name section summary text)
  string(TOUPPER ${component} of)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  set(CPACK_DEBIAN_${of}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${of}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${of}_DESCRIPTION "${summary}\n${text}")
  install(FILES ${documents}/copyright ${documents}/changelog.gz
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component})
endmacro()

package(railgauge railgauge net ${PROJECT_DESCRIPTION}
"All-reduce, all-gather, all-to-all and other collectives over RDMA ports,
rail by rail, with every result verified; tests of connectivity, pairs of
NICs, faulty components and stability; comparison with published figures;
reports.")
package(softroce libsoftroce libs "RoCEv2 devices in software, for any verbs program"
"A library to preload: a program that uses libibverbs finds RDMA devices that
send RoCEv2 packets in UDP datagrams. It needs no RDMA hardware, kernel module
or root. railgauge-softroce starts programs with it.")
package(laboratory railgauge-lab net "RoCE hosts and switches on one machine"
"railgauge-fabric: hosts with soft devices, leaves and spines with ECN, PFC and
planted faults, in network namespaces. railgauge-lab: virtual machines with the
kernel's RoCE device. Any verbs program runs on either.")
package(development railgauge-dev libdevel "RDMA collective communication: the libraries of railgauge"
"Headers and static libraries: schedules of collectives as data, their proof
and cost, a transport over verbs, and an executor.")
install(FILES ${documents}/CHANGELOG.md.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/railgauge)

set(CPACK_PACKAGE_CONTACT ${maintainers})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # would stand before each package's own
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
# Of the libraries, what the binaries need is read from them; it takes dpkg-dev's dpkg-shlibdeps.
find_program(dpkg_shlibdeps dpkg-shlibdeps)
if(dpkg_shlibdeps)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  # softroce needs the machine's libibverbs by its whole path; the benchmarks, their own library.
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS / ${PROJECT_BINARY_DIR}/lib)
else()
  message(STATUS "cpack would write .debs that do not say what they need: there is no dpkg-shlibdeps "
    "(Debian: dpkg-dev)")
endif()
mark_as_advanced(dpkg_shlibdeps)
set(CPACK_DEBIAN_SOFTROCE_PACKAGE_DEPENDS "libibverbs1")
set(CPACK_DEBIAN_RAILGAUGE_PACKAGE_DEPENDS "openmpi-bin, libsoftroce (= ${PROJECT_VERSION})")
# python3: of railgauge-mpijob and results-schema/validate
set(CPACK_DEBIAN_RAILGAUGE_PACKAGE_RECOMMENDS "ibverbs-providers, python3")
# python3-jsonschema: of results-schema/validate; python3-yaml: of railgauge-mpijob
set(CPACK_DEBIAN_RAILGAUGE_PACKAGE_SUGGESTS "railgauge-lab, python3-jsonschema, python3-yaml")
set(CPACK_DEBIAN_LABORATORY_PACKAGE_DEPENDS "python3, iproute2, libsoftroce (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_LABORATORY_PACKAGE_RECOMMENDS "railgauge, qemu-system-x86, busybox-static, kmod, cpio")
string(JOIN ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  libibverbs-dev librdmacm-dev libhwloc-dev libhwy-dev libmicrohttpd-dev libopenmpi-dev nlohmann-json3-dev zlib1g-dev)
include(CPack)

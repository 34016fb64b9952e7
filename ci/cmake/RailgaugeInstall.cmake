# What an installation holds besides the libraries, headers and binaries, which their own folders
# install; how find_package(railgauge) finds it; and the .deb that `cpack` writes.

include(CMakePackageConfigHelpers)
set(cmake_files ${CMAKE_INSTALL_LIBDIR}/cmake/railgauge)
configure_package_config_file(ci/cmake/railgauge-config.cmake.in
  ${PROJECT_BINARY_DIR}/railgauge-config.cmake INSTALL_DESTINATION ${cmake_files})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/railgauge-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/railgauge-config.cmake ${PROJECT_BINARY_DIR}/railgauge-config-version.cmake
  DESTINATION ${cmake_files})
install(EXPORT railgauge-targets NAMESPACE railgauge:: DESTINATION ${cmake_files})

# Beside the binaries, under names that collide with nobody's.
install(PROGRAMS launchers/mpirun DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME railgauge-mpirun)
install(PROGRAMS launchers/slurm/job DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME railgauge-slurm-job)
install(PROGRAMS launchers/kubernetes/mpijob DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME railgauge-mpijob)
# It and `--device soft` find libsoftroce.so in ../<lib>/railgauge, seen from the binaries.
install(PROGRAMS launchers/softroce DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME railgauge-softroce)
# The laboratory finds its parts beside itself, so it stays together; on the path there is a link.
install(PROGRAMS launchers/lab DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/railgauge)
install(DIRECTORY launchers/lab.d DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/railgauge
  USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)
file(RELATIVE_PATH lab /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBEXECDIR}/railgauge/lab)
file(CREATE_LINK ${lab} ${PROJECT_BINARY_DIR}/railgauge-lab SYMBOLIC)
install(FILES ${PROJECT_BINARY_DIR}/railgauge-lab DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES VERSION DESTINATION ${CMAKE_INSTALL_DATADIR}/railgauge)  # launchers tell it
install(DIRECTORY results-schema/ DESTINATION ${CMAKE_INSTALL_DATADIR}/railgauge/results-schema
  USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)

# The licences: ours, and that of the plotting library that every report contains.
file(READ LICENSE own_licence)
file(READ lib/report/vendor/uplot/LICENSE uplot_licence)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  LICENSE lib/report/vendor/uplot/LICENSE)
file(WRITE ${PROJECT_BINARY_DIR}/copyright "railgauge is under this licence:\n\n${own_licence}\n"
  "railgauge's reports contain uPlot (https://github.com/leeoniya/uPlot), under this one:\n\n"
  "${uplot_licence}")
install(FILES ${PROJECT_BINARY_DIR}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/railgauge)

set(CPACK_PACKAGE_CONTACT "railgauge maintainers <maintainers@railgauge.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
# Of the libraries, what the binaries need is read from them; it takes dpkg-dev's dpkg-shlibdeps.
find_program(dpkg_shlibdeps dpkg-shlibdeps)
if(dpkg_shlibdeps)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  # softroce needs the machine's libibverbs by its whole path.
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS /)
endif()
mark_as_advanced(dpkg_shlibdeps)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "openmpi-bin")
string(JOIN ", " CPACK_DEBIAN_PACKAGE_RECOMMENDS ibverbs-providers
  # of the laboratory
  python3 qemu-system-x86 busybox-static kmod cpio iproute2)
string(JOIN ", " CPACK_DEBIAN_PACKAGE_SUGGESTS
  # of results-schema/validate, and of railgauge-mpijob
  python3-jsonschema python3-yaml
  # to link to the libraries
  libibverbs-dev librdmacm-dev libhwloc-dev libhwy-dev nlohmann-json3-dev)
include(CPack)

# What an installation holds besides the libraries, headers and binaries, which their own folders
# install; and how find_package(railgauge) and pkg-config find it.

include(CMakePackageConfigHelpers)
# Static libraries are linked from the top down.
get_property(layers GLOBAL PROPERTY railgauge_layers)
list(REVERSE layers)
list(TRANSFORM layers PREPEND -l)
list(JOIN layers " " layers)
file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(cmake_files ${CMAKE_INSTALL_LIBDIR}/cmake/railgauge)
configure_package_config_file(ci/cmake/railgauge-config.cmake.in
  ${PROJECT_BINARY_DIR}/railgauge-config.cmake INSTALL_DESTINATION ${cmake_files})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/railgauge-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/railgauge-config.cmake ${PROJECT_BINARY_DIR}/railgauge-config-version.cmake
  DESTINATION ${cmake_files} COMPONENT development)
install(EXPORT railgauge-targets NAMESPACE railgauge:: DESTINATION ${cmake_files}
  COMPONENT development)
configure_file(ci/cmake/railgauge.pc.in railgauge.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/railgauge.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# Launchers stand beside the binaries, under names that collide with nobody's, by which they then call
# themselves and each other. softroce and `--device soft` find libsoftroce.so in ../<lib>/railgauge.
set(libexec ${CMAKE_INSTALL_LIBEXECDIR}/railgauge)
file(RELATIVE_PATH to_libexec /${CMAKE_INSTALL_BINDIR} /${libexec})
set(launchers mpirun softroce lab fabric slurm/job kubernetes/mpijob)
function(with_installed_names file result)
  file(READ ${file} text)
  foreach(launcher ${launchers})
    get_filename_component(name ${launcher} NAME)
    if(launcher STREQUAL "slurm/job")
      set(name slurm-job)
    endif()
    string(REPLACE "launchers/${launcher}" "railgauge-${name}" text "${text}")
  endforeach()
  string(REPLACE "../libexec/railgauge" "${to_libexec}" text "${text}")
  set(written ${PROJECT_BINARY_DIR}/installed/${file})
  file(WRITE ${written} "${text}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  set(${result} ${written} PARENT_SCOPE)
endfunction()

# install_launcher(LAUNCHER NAME COMPONENT)
function(install_launcher launcher name component)
  with_installed_names(launchers/${launcher} written)
  install(PROGRAMS ${written} DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME ${name} COMPONENT ${component})
endfunction()
install_launcher(mpirun railgauge-mpirun railgauge)
with_installed_names(launchers/mpirun.d/show_stderr.pl written)
install(PROGRAMS ${written} DESTINATION ${libexec}/mpirun.d COMPONENT railgauge)
install_launcher(slurm/job railgauge-slurm-job railgauge)
install_launcher(kubernetes/mpijob railgauge-mpijob railgauge)
install_launcher(softroce railgauge-softroce softroce)
# The laboratory and the fabric find their parts beside themselves, so they stay together; on the path
# there are links.
# install_with_parts(LAUNCHER PART...): those parts name launchers.
function(install_with_parts launcher)
  with_installed_names(launchers/${launcher} written)
  install(PROGRAMS ${written} DESTINATION ${libexec} COMPONENT laboratory)
  foreach(part ${ARGN})
    with_installed_names(launchers/${launcher}.d/${part} written)
    install(FILES ${written} DESTINATION ${libexec}/${launcher}.d COMPONENT laboratory)
  endforeach()
  list(JOIN ARGN "|" speaking_parts)
  install(DIRECTORY launchers/${launcher}.d DESTINATION ${libexec} USE_SOURCE_PERMISSIONS
    COMPONENT laboratory PATTERN __pycache__ EXCLUDE REGEX "/(${speaking_parts})$" EXCLUDE)
  file(RELATIVE_PATH link /${CMAKE_INSTALL_BINDIR} /${libexec}/${launcher})
  file(CREATE_LINK ${link} ${PROJECT_BINARY_DIR}/railgauge-${launcher} SYMBOLIC)
  install(FILES ${PROJECT_BINARY_DIR}/railgauge-${launcher} DESTINATION ${CMAKE_INSTALL_BINDIR}
    COMPONENT laboratory)
endfunction()
install_with_parts(lab help.py command_line.py)
install_with_parts(fabric fabric_help.py fabric_command_line.py)
# Launchers tell it; railgauge and railgauge-lab need libsoftroce, so that it is there with each.
install(FILES VERSION DESTINATION ${CMAKE_INSTALL_DATADIR}/railgauge COMPONENT softroce)
install(DIRECTORY results-schema/ DESTINATION ${CMAKE_INSTALL_DATADIR}/railgauge/results-schema
  USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)

install(FILES launchers/metrics/railgauge-alerts.yml launchers/metrics/railgauge-dashboard.json
  DESTINATION ${CMAKE_INSTALL_DATADIR}/railgauge/metrics)

include(RailgaugePackages)

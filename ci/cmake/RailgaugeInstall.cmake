# What an installation holds besides the libraries, headers and binaries, which their own folders
# install; and how find_package(railgauge) and pkg-config find it.

include(CMakePackageConfigHelpers)
set(layers runner cluster job report verdict diagnosis results telemetry measure executor transport verbs reachability
  topology reduce schedule manual draw)
list(TRANSFORM layers PREPEND -lrailgauge_)
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
set(launchers mpirun softroce lab slurm/job kubernetes/mpijob)
function(with_installed_names file result)
  file(READ ${file} text)
  foreach(launcher ${launchers})
    get_filename_component(name ${launcher} NAME)
    if(launcher STREQUAL "slurm/job")
      set(name slurm-job)
    endif()
    string(REPLACE "launchers/${launcher}" "railgauge-${name}" text "${text}")
  endforeach()
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
install_launcher(slurm/job railgauge-slurm-job railgauge)
install_launcher(kubernetes/mpijob railgauge-mpijob railgauge)
install_launcher(softroce railgauge-softroce softroce)
# The laboratory finds its parts beside itself, so it stays together; on the path there is a link.
set(libexec ${CMAKE_INSTALL_LIBEXECDIR}/railgauge)
with_installed_names(launchers/lab written)
install(PROGRAMS ${written} DESTINATION ${libexec})
set(speaking_parts help.py command_line.py)
foreach(part ${speaking_parts})
  with_installed_names(launchers/lab.d/${part} written)
  install(FILES ${written} DESTINATION ${libexec}/lab.d)
endforeach()
list(JOIN speaking_parts "|" speaking_parts)
install(DIRECTORY launchers/lab.d DESTINATION ${libexec} USE_SOURCE_PERMISSIONS
  PATTERN __pycache__ EXCLUDE REGEX "/(${speaking_parts})$" EXCLUDE)
file(RELATIVE_PATH lab /${CMAKE_INSTALL_BINDIR} /${libexec}/lab)
file(CREATE_LINK ${lab} ${PROJECT_BINARY_DIR}/railgauge-lab SYMBOLIC)
install(FILES ${PROJECT_BINARY_DIR}/railgauge-lab DESTINATION ${CMAKE_INSTALL_BINDIR})
# Launchers tell it; railgauge needs libsoftroce, so that it is there with either.
install(FILES VERSION DESTINATION ${CMAKE_INSTALL_DATADIR}/railgauge COMPONENT softroce)
install(DIRECTORY results-schema/ DESTINATION ${CMAKE_INSTALL_DATADIR}/railgauge/results-schema
  USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)

include(RailgaugePackages)

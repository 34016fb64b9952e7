# Man pages and completion for bash and zsh, built with the programs and installed where man and the
# shells look for them.

set(railgauge_share ${PROJECT_BINARY_DIR}/share)
set(man_pages man/man1)
set(bash_completions bash-completion/completions)
set(zsh_completions zsh/site-functions)
foreach(folder ${man_pages} ${bash_completions} ${zsh_completions})
  file(MAKE_DIRECTORY ${railgauge_share}/${folder})
  install(DIRECTORY ${railgauge_share}/${folder}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder}
    REGEX "/railgauge-(softroce|lab|fabric)\\.1\\.gz$" EXCLUDE)
endforeach()
install(FILES ${railgauge_share}/${man_pages}/railgauge-softroce.1.gz
  DESTINATION ${CMAKE_INSTALL_DATADIR}/${man_pages} COMPONENT softroce)
install(FILES
  ${railgauge_share}/${man_pages}/railgauge-lab.1.gz ${railgauge_share}/${man_pages}/railgauge-fabric.1.gz
  DESTINATION ${CMAKE_INSTALL_DATADIR}/${man_pages} COMPONENT laboratory)
add_custom_target(manuals ALL)
# Pages name launchers as they are installed.
set(by_installed_names | sed
  -e s,launchers/slurm/job,railgauge-slurm-job,g -e s,launchers/kubernetes/mpijob,railgauge-mpijob,g
  "-e" "s,launchers/\\(mpirun\\|softroce\\|lab\\|fabric\\),railgauge-\\1,g")

set(man_of_help ${PROJECT_SOURCE_DIR}/ci/cmake/man_of_help)
# railgauge_man_page(NAME PROGRAM DEPENDENCY): a man page of what --help prints. NAME is what the
# program or script is installed as. Sets `man` to the page's path.
macro(railgauge_man_page name program dependency)
  set(man ${railgauge_share}/${man_pages}/${name}.1.gz)
  add_custom_command(OUTPUT ${man} DEPENDS ${dependency} ${man_of_help} ${PROJECT_SOURCE_DIR}/VERSION VERBATIM
    COMMAND ${man_of_help} ${name} ${PROJECT_VERSION} ${program} ${by_installed_names} | gzip --best --no-name > ${man}
    COMMENT "Man page of ${name}")
endmacro()

# railgauge_manual(PROGRAM): its man page, and completion of the table of its options.
function(railgauge_manual program)
  railgauge_man_page(${program} $<TARGET_FILE:${program}> ${program})
  set(bash ${railgauge_share}/${bash_completions}/${program})
  set(zsh ${railgauge_share}/${zsh_completions}/_${program})
  add_custom_command(OUTPUT ${bash} ${zsh} DEPENDS ${program} VERBATIM
    COMMAND ${program} --completion bash > ${bash}
    COMMAND ${program} --completion zsh > ${zsh}
    COMMENT "Completion of ${program}")
  add_custom_target(manual_of_${program} DEPENDS ${man} ${bash} ${zsh})
  add_dependencies(manuals manual_of_${program})
endfunction()

# railgauge_manual_of_script(NAME SCRIPT): the same of a script, which has no completion.
function(railgauge_manual_of_script name script)
  set(source ${PROJECT_SOURCE_DIR}/${script})
  railgauge_man_page(${name} ${source} ${source})
  add_custom_target(manual_of_${name} DEPENDS ${man})
  add_dependencies(manuals manual_of_${name})
endfunction()

railgauge_manual_of_script(railgauge-mpirun launchers/mpirun)
railgauge_manual_of_script(railgauge-slurm-job launchers/slurm/job)
railgauge_manual_of_script(railgauge-mpijob launchers/kubernetes/mpijob)
railgauge_manual_of_script(railgauge-softroce launchers/softroce)
railgauge_manual_of_script(railgauge-lab launchers/lab)
railgauge_manual_of_script(railgauge-fabric launchers/fabric)

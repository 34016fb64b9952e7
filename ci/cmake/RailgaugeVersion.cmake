# The commit a binary was built from belongs to every result it writes. Nobody measures with a sanitizer,
# and to know each commit its build would have to compile much of itself anew.

set(RAILGAUGE_COMMIT "unknown")
find_package(Git QUIET)
if(Git_FOUND AND NOT RAILGAUGE_SANITIZE AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
  execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty --abbrev=12
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE described ERROR_QUIET
    OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
  if(NOT failed)
    set(RAILGAUGE_COMMIT ${described})
  endif()
  # Every commit appends to this file, so the next build configures again.
  if(EXISTS ${PROJECT_SOURCE_DIR}/.git/logs/HEAD)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
      ${PROJECT_SOURCE_DIR}/.git/logs/HEAD)
  endif()
endif()

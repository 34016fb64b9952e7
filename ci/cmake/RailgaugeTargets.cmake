# How every target of the project is compiled, and how one folder of lib/ becomes one library.

add_library(railgauge_build_flags INTERFACE)
target_compile_options(railgauge_build_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast
  # GCC 12 sees overlaps in std::string that are not there (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # With the address sanitizer it takes parts of std::regex for uninitialized (GCC bug 105562).
  $<$<STREQUAL:${RAILGAUGE_SANITIZE},address>:-Wno-maybe-uninitialized>
  $<$<BOOL:${RAILGAUGE_WARNINGS_AS_ERRORS}>:-Werror>)
if(RAILGAUGE_SANITIZE STREQUAL "address")
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
    $<$<BOOL:$<TARGET_PROPERTY:RAILGAUGE_WITHOUT_RAW_MEMORY>>:-fno-sanitize=null$<COMMA>alignment>)
elseif(RAILGAUGE_SANITIZE STREQUAL "thread")
  set(sanitizers -fsanitize=thread)
elseif(RAILGAUGE_SANITIZE)
  message(FATAL_ERROR "RAILGAUGE_SANITIZE is '${RAILGAUGE_SANITIZE}'; it takes address or thread")
endif()
target_compile_options(railgauge_build_flags INTERFACE ${sanitizers})
# railgauge_sanitized_at(OPTIMISATION): with a sanitizer, of the targets of this folder and below: of
# JSON, CLI11 and GoogleTest sanitizers make so much code that it is most of the build. Reports have
# their lines with -g1, too.
macro(railgauge_sanitized_at optimisation)
  if(RAILGAUGE_SANITIZE)
    set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "${optimisation} -g1")
  endif()
endmacro()
target_link_options(railgauge_build_flags INTERFACE ${sanitizers})

# railgauge_without_raw_memory(TARGET): it casts no bytes of the wire, of devices or of buffers. Whether each
# pointer is aligned is not asked there, nor whether it is null, which the address sanitizer sees at its use:
# the two are a third of what is compiled for a sanitizer.
function(railgauge_without_raw_memory target)
  set_target_properties(${target} PROPERTIES RAILGAUGE_WITHOUT_RAW_MEMORY ON)
endfunction()

# With ccache, what was compiled once in any clone is not compiled again: paths below the project count
# as relative ones, also in debug information. It is left out where it cannot write its cache, for it
# would fail; and somebody's own launcher wins.
target_compile_options(railgauge_build_flags INTERFACE
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
find_program(ccache ccache)
mark_as_advanced(ccache)
if(ccache AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(ccache_tried ${PROJECT_BINARY_DIR}/CMakeFiles/ccache_tried)
  file(WRITE ${ccache_tried}.cpp "")
  execute_process(COMMAND ${ccache} ${CMAKE_CXX_COMPILER} -c ${ccache_tried}.cpp -o ${ccache_tried}.o
    RESULT_VARIABLE ccache_failed OUTPUT_QUIET ERROR_QUIET)
  if(ccache_failed)
    message(STATUS "ccache is left out: it fails, perhaps because it cannot write its cache")
  else()
    set(CMAKE_CXX_COMPILER_LAUNCHER
      env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=yes ${ccache})
  endif()
endif()

if(RAILGAUGE_TIDY)
  find_program(clang_tidy NAMES clang-tidy clang-tidy-14 clang-tidy-18 REQUIRED)
  # It is given GCC's options.
  set(CMAKE_CXX_CLANG_TIDY ${clang_tidy} --quiet --extra-arg=-Wno-unknown-warning-option)
endif()

set(railgauge_tested_at_length checks isolation predict schedule soak)

# railgauge_library(NAME [HOT] SOURCES ... [LINKS lower layers] [USES outside libraries])
# LINKS is the layer rule: a folder may include what it links, and nothing else is on its path
# except through what it links. Of a folder below another, "a/b", the name is a_b.
# HOT: what is timed runs through it. All else is compiled with -O1 in the release build, in two thirds
# of the time, and with -O0 for a sanitizer, in half of it, unless its tests would take longer for that.
function(railgauge_library name)
  cmake_parse_arguments(arg "HOT" "" "SOURCES;LINKS;USES" ${ARGN})
  set(target railgauge_${name})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(railgauge::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/lib>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/railgauge>)
  target_compile_features(${target} PUBLIC cxx_std_20)
  if(NOT arg_HOT)
    railgauge_without_raw_memory(${target})
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    if(RAILGAUGE_SANITIZE AND NOT name IN_LIST railgauge_tested_at_length)
      target_compile_options(${target} PRIVATE -O0)
    endif()
  endif()
  list(TRANSFORM arg_LINKS PREPEND railgauge::)
  target_link_libraries(${target} PUBLIC ${arg_LINKS}
    PRIVATE ${arg_USES} $<BUILD_INTERFACE:railgauge_build_flags>)
  set_property(GLOBAL APPEND PROPERTY railgauge_layers ${target})
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR}/lib ${CMAKE_CURRENT_SOURCE_DIR})
  install(TARGETS ${target} EXPORT railgauge-targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/railgauge/${folder} COMPONENT development FILES_MATCHING PATTERN "*.hpp")
endfunction()

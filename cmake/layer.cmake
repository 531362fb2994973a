# Warnings, sanitizers and what every target shares.
add_library(cax_build_flags INTERFACE)
target_compile_options(cax_build_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                                 -Wnon-virtual-dtor -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees overlapping copies in std::string's operator+ and assignment where there are none (GCC bug 105651).
  target_compile_options(cax_build_flags INTERFACE -Wno-restrict)
endif()
if(CAX_WERROR)
  target_compile_options(cax_build_flags INTERFACE -Werror)
endif()
if(CAX_ASAN)
  target_compile_options(cax_build_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
                                                   -fno-omit-frame-pointer)
  target_link_options(cax_build_flags INTERFACE -fsanitize=address,undefined)
endif()
if(CAX_TSAN)
  target_compile_options(cax_build_flags INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(cax_build_flags INTERFACE -fsanitize=thread)
endif()
if(CAX_FUZZ)
  # Beside the usual ones: casts of numbers that do not fit, which clang leaves out of `undefined`.
  set(sanitizers address,undefined,float-cast-overflow)
  target_compile_options(cax_build_flags INTERFACE -fsanitize=fuzzer-no-link,${sanitizers} -fno-sanitize-recover=all
                                                   -fno-omit-frame-pointer)
  target_link_options(cax_build_flags INTERFACE -fsanitize=${sanitizers})
endif()

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)

# cax_unity(TARGET): several sources per compilation where CAX_UNITY asks for it, because the same headers cost more than
# our own code. Sources with flags of their own (the kernels) always stay alone.
function(cax_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${CAX_UNITY} UNITY_BUILD_BATCH_SIZE ${CAX_UNITY_BATCH})
endfunction()

# cax_layer(NAME SOURCES ... [PUBLIC targets] [PRIVATE targets])
#
# A layer is a static library that shows src/NAME/include to whoever links it and keeps everything else in src/NAME to
# itself. Installed, it is cax::NAME too. PUBLIC: its headers mention their types. PRIVATE: only its sources do.
function(cax_layer name)
  cmake_parse_arguments(LAYER "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(cax_${name} STATIC ${LAYER_SOURCES})
  add_library(cax::${name} ALIAS cax_${name})
  target_include_directories(cax_${name} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
                                                $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}> PRIVATE .)
  target_compile_features(cax_${name} PUBLIC cxx_std_20)
  target_link_libraries(cax_${name} PUBLIC ${LAYER_PUBLIC} PRIVATE $<BUILD_INTERFACE:cax_build_flags> ${LAYER_PRIVATE})
  cax_unity(cax_${name})
  set_target_properties(cax_${name} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS cax_${name} EXPORT caxTargets COMPONENT library)
  install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
endfunction()

# cax_test(NAME [SLOW] [SHARED suites] SOURCES ... LINK layers): a test executable, one CTest entry per TEST. SLOW: not for
# every small change. SHARED: a regular expression of suites that need CAX_SHARED. The labels are test_labels.cmake's.
function(cax_test name)
  cmake_parse_arguments(TEST "SLOW" "SHARED" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE cax_build_flags cax_test_support ${TEST_LINK} GTest::gtest_main)
  cax_unity(${name})
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 900)
  set(speed fast)
  if(TEST_SLOW)
    set(speed slow)
  endif()
  get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  # ctest reads this after the tests of the executable, whose names are in a variable by then.
  set(labels ${CMAKE_CURRENT_BINARY_DIR}/${name}_labels.cmake)
  file(CONFIGURE OUTPUT ${labels} @ONLY CONTENT [[
set(tests ${@name@_TESTS})
set(speed @speed@)
set(shared "@TEST_SHARED@")
set(folder @folder@)
set(problems "@cax_SOURCE_DIR@/src/problems")
include("@cax_SOURCE_DIR@/cmake/test_labels.cmake")
]])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${labels})
endfunction()

# Read by ctest once it has found the tests of an executable: gives each of them its labels.
#
#   fast, slow    as the executable says (cax_test); fast is what scripts/test --fast runs
#   shared        needs the folder CAX_SHARED, and is neither fast nor slow
#   problem:NAME  knows the problem: it is in its folder (tests/problems/NAME), its suite begins with the name, or it is the
#                 instance of a suite over the registry that is called after it
#
# In: tests, speed, shared (a regular expression over suites, or empty), folder (of the tests), problems (their folders in src/).
file(GLOB each_problem LIST_DIRECTORIES false RELATIVE ${problems} ${problems}/*/problem.cpp)
list(TRANSFORM each_problem REPLACE "/problem.cpp$" "")
list(REMOVE_ITEM each_problem table routing) # what problems stand on

foreach(test IN LISTS tests)
  set(labels ${speed})
  if(shared AND test MATCHES "(^|/)(${shared})\\.")
    set(labels shared)
  endif()
  foreach(name IN LISTS each_problem)
    string(SUBSTRING ${name} 0 1 first)
    string(SUBSTRING ${name} 1 -1 rest)
    string(TOUPPER ${first} first)
    if(folder STREQUAL name OR test MATCHES "^${first}${rest}[A-Z.]" OR test MATCHES "/\"?${name}\"?( +#.*)?$")
      list(APPEND labels problem:${name})
    endif()
  endforeach()
  set_tests_properties("${test}" PROPERTIES LABELS "${labels}")
endforeach()

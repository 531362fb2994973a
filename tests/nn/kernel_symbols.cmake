# The kernel objects are built with wider instructions than the rest of the program. If one of them defined an inline
# function that others define too, the linker could keep its copy, and the program would crash on older processors. So
# none may define a weak symbol. Called with NM and OBJECTS (joined by commas).
string(REPLACE "," ";" objects "${OBJECTS}")
if(NOT objects)
  message(FATAL_ERROR "no kernel objects to look at")
endif()
foreach(object IN LISTS objects)
  execute_process(COMMAND ${NM} --demangle ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[0-9a-f]+ [WVu] [^\n]*" shared "${symbols}")
  list(FILTER shared EXCLUDE REGEX " DW\\.ref\\.") # a pointer for exceptions (thread sanitizer), no code
  if(shared)
    message(FATAL_ERROR "${object} defines symbols that it shares with the rest of the program: ${shared}")
  endif()
endforeach()

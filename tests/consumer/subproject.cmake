# Builds the consumer with cax as a subproject, and runs it. Called with SOURCE (of cax), WORK (a folder to do it in),
# GENERATOR, CXX, MODELS, and SETTINGS: how cax itself was built, so that the compiler cache knows every object.
file(REMOVE_RECURSE ${WORK})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX}
                        -DCAX_SOURCE=${SOURCE} ${SETTINGS}
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK} --target consumer COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK}/consumer ${MODELS}/op-20-s0.safetensors OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
message(STATUS "${said}")
if(NOT said MATCHES "solved at cost [0-9.-]+\n.*[a-z]+ [a-z]+.*\\.\n")
  message(FATAL_ERROR "no solution with an explanation in words")
endif()

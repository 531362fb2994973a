# Installs cax into a new folder, builds the consumer against what was installed, and runs it. Called with BUILD (the
# build folder of cax), WORK (a folder to do all this in), GENERATOR and CXX.
file(REMOVE_RECURSE ${WORK})
foreach(component library models)
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix --component ${component}
                  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endforeach()
execute_process(COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK}/build -G ${GENERATOR}
                        -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_PREFIX_PATH=${WORK}/prefix
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/build COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK}/build/consumer ${WORK}/prefix/share/cax/models/op-20-s0.safetensors
                OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
message(STATUS "${said}")
if(NOT said MATCHES "solved at cost [0-9.-]+\n.*[a-z]+ [a-z]+.*\\.\n")
  message(FATAL_ERROR "no solution with an explanation in words")
endif()

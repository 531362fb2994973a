# What `cmake --install` puts where, in three components: the library with its headers and its package (find_package(cax)),
# the program with its manual pages and completion, and the trained policies, which only `--component models` copies.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/cax)
set(CAX_MODELS ${CMAKE_INSTALL_DATADIR}/cax/models)

install(EXPORT caxTargets NAMESPACE cax:: DESTINATION ${package_folder} COMPONENT library)
configure_package_config_file(cmake/caxConfig.cmake.in ${PROJECT_BINARY_DIR}/caxConfig.cmake
                              INSTALL_DESTINATION ${package_folder} PATH_VARS CAX_MODELS)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/caxConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/caxConfig.cmake ${PROJECT_BINARY_DIR}/caxConfigVersion.cmake
              cmake/FindCLP.cmake cmake/FindGecode.cmake cmake/FindNettle.cmake
        DESTINATION ${package_folder} COMPONENT library)

install(TARGETS cax COMPONENT program)
install(DIRECTORY ${PROJECT_BINARY_DIR}/package/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${PROJECT_BINARY_DIR}/package/cax.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME cax
        COMPONENT program)
install(FILES ${PROJECT_BINARY_DIR}/package/_cax DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
install(DIRECTORY models/ DESTINATION ${CAX_MODELS} COMPONENT models EXCLUDE_FROM_ALL)

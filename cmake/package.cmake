# `cpack` in a build folder makes a Debian package: the program, its manual pages and completion, and the trained policies.
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/cax RENAME copyright COMPONENT program)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME cax)
set(CPACK_PACKAGE_CONTACT "cax")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program models)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS gnuplot-nox) # the study's figures
include(CPack)

# Nettle::Nettle, for SHA-256.
find_library(NETTLE_LIBRARY nettle)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Nettle REQUIRED_VARS NETTLE_LIBRARY)
mark_as_advanced(NETTLE_LIBRARY)

if(Nettle_FOUND AND NOT TARGET Nettle::Nettle)
  add_library(Nettle::Nettle INTERFACE IMPORTED)
  target_link_libraries(Nettle::Nettle INTERFACE ${NETTLE_LIBRARY})
endif()

# CLP::CLP, the linear programming solver of COIN-OR, with the CoinUtils that it stands on.
find_library(CLP_LIBRARY Clp)
find_library(CLP_COINUTILS_LIBRARY CoinUtils)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CLP REQUIRED_VARS CLP_LIBRARY CLP_COINUTILS_LIBRARY)
mark_as_advanced(CLP_LIBRARY CLP_COINUTILS_LIBRARY)

if(CLP_FOUND AND NOT TARGET CLP::CLP)
  add_library(CLP::CLP INTERFACE IMPORTED)
  target_link_libraries(CLP::CLP INTERFACE ${CLP_LIBRARY} ${CLP_COINUTILS_LIBRARY})
endif()

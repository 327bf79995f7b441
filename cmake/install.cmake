# What `make install` and `make deb` put where, besides the targets and headers themselves: pkg-config files, the CMake package, manual
# pages, completions, licence and documents.
set(CAPSTAN_PC_HDF5 ${HDF5_C_LIBRARIES})
list(FILTER CAPSTAN_PC_HDF5 INCLUDE REGEX "libhdf5[^/]*$")
list(JOIN CAPSTAN_PC_HDF5 " " CAPSTAN_PC_HDF5)
foreach(name capstan capstan-static)
    configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

include(CMakePackageConfigHelpers)
set(package_place ${CMAKE_INSTALL_LIBDIR}/cmake/capstan)
configure_package_config_file(cmake/capstanConfig.cmake.in capstanConfig.cmake INSTALL_DESTINATION ${package_place}
    PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(capstanConfigVersion.cmake VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/capstanConfig.cmake ${PROJECT_BINARY_DIR}/capstanConfigVersion.cmake DESTINATION ${package_place})

install(FILES LICENSE README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/capstan FILES_MATCHING PATTERN "*.json" PATTERN "*.obj")
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/capstan FILES_MATCHING PATTERN "*.c")

# The command itself prints its manual pages and completions, from the tables that it parses its arguments with.
if(NOT CMAKE_CROSSCOMPILING)
    set(documents)
    function(capstan_printed file) # by capstan with these arguments
        add_custom_command(OUTPUT ${file} COMMAND capstan ${ARGN} > ${file} DEPENDS capstan VERBATIM)
        set(documents ${documents} ${PROJECT_BINARY_DIR}/${file} PARENT_SCOPE)
    endfunction()
    capstan_printed(capstan.1 help --man)
    set(manual_pages ${PROJECT_BINARY_DIR}/capstan.1)
    foreach(command run check dump groom solve plot view render export)
        capstan_printed(capstan-${command}.1 ${command} --help=man)
        list(APPEND manual_pages ${PROJECT_BINARY_DIR}/capstan-${command}.1)
    endforeach()
    capstan_printed(capstan.bash completion bash)
    capstan_printed(_capstan completion zsh)
    capstan_printed(capstan.fish completion fish)
    add_custom_target(capstan_documents ALL DEPENDS ${documents})
    add_dependencies(product capstan_documents)
    install(FILES ${manual_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${PROJECT_BINARY_DIR}/capstan.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME capstan)
    install(FILES ${PROJECT_BINARY_DIR}/_capstan DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${PROJECT_BINARY_DIR}/capstan.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

# make deb: one package. Names of libraries it needs are found by dpkg-shlibdeps.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME capstan)
set(CPACK_PACKAGE_VERSION ${CAPSTAN_VERSION})
set(CPACK_PACKAGE_CONTACT "The Capstan developers <capstan@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "contact of rods, fibers and rigid bodies with the exact Coulomb law of friction")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Simulates slender elastic things (rods, ropes, hair) and rigid bodies in contact, and says in each
 step how exactly the Coulomb law was met. The command, the C library (shared and static), examples and scenes.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ffmpeg, fonts-dejavu-core")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gcc, pkg-config, libhdf5-dev, libsuitesparse-dev, zlib1g-dev") # to link the static libraries
include(CPack)

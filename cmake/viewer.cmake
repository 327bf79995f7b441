# The viewer of `capstan view`: page_viewer_source is the C file that holds it, bundled from viewer/ with npm and node when its
# sources have changed. Without npm, or without network the first time, capstan is built all the same and `capstan view` says why
# it cannot work.
find_program(CAPSTAN_NPM npm)
find_program(CAPSTAN_NODE NAMES node nodejs)
mark_as_advanced(CAPSTAN_NPM CAPSTAN_NODE)
set(page_viewer_absent ${PROJECT_SOURCE_DIR}/src/cli/page_viewer_absent.c)

if(CAPSTAN_NPM AND CAPSTAN_NODE)
    set(page_viewer_source ${PROJECT_BINARY_DIR}/viewer/page_viewer.c)
    file(GLOB_RECURSE viewer_inputs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/viewer/src/*)
    foreach(name build.mjs package.json package-lock.json .npmrc)
        list(APPEND viewer_inputs ${PROJECT_SOURCE_DIR}/viewer/${name})
    endforeach()
    # A stand-in from a build without network is not kept: configuring again is trying again.
    if(EXISTS ${page_viewer_source})
        file(READ ${page_viewer_source} text LIMIT 200)
        if(text MATCHES "no npm")
            file(REMOVE ${page_viewer_source})
        endif()
    endif()
    add_custom_command(OUTPUT ${page_viewer_source}
        COMMAND ${CMAKE_COMMAND} -DNPM=${CAPSTAN_NPM} -DNODE=${CAPSTAN_NODE} -DVIEWER=${PROJECT_SOURCE_DIR}/viewer
            -DOUT=${page_viewer_source} -DABSENT=${page_viewer_absent} -P ${PROJECT_SOURCE_DIR}/cmake/build_viewer.cmake
        DEPENDS ${viewer_inputs} ${page_viewer_absent} ${PROJECT_SOURCE_DIR}/cmake/build_viewer.cmake
        COMMENT "Bundling the viewer" VERBATIM)
else()
    message(STATUS "npm: not found, capstan is built without its viewer (capstan view)")
    set(page_viewer_source ${page_viewer_absent})
endif()

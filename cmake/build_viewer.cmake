# cmake -DNPM= -DNODE= -DVIEWER= -DOUT= -DABSENT= -P build_viewer.cmake: packages where they are missing or others than the lock
# file says, then the bundle as C. What cannot be had leaves a stand-in, never a failed build.
function(do_without why log)
    message("viewer: ${why}; capstan is built without it. Configure again to try again.\n${log}")
    configure_file(${ABSENT} ${OUT} COPYONLY)
    file(TOUCH ${OUT})
endfunction()

# npm keeps a copy of what it has installed. Its own changes to it (peer marks) are why times are compared, not contents.
set(installed ${VIEWER}/node_modules/.package-lock.json)
if(NOT EXISTS ${installed} OR ${VIEWER}/package-lock.json IS_NEWER_THAN ${installed})
    execute_process(COMMAND ${NPM} ci --no-fund --no-audit --ignore-scripts --fetch-retries=1 --loglevel=error
        WORKING_DIRECTORY ${VIEWER} RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log TIMEOUT 300)
    if(failed)
        do_without("its packages could not be fetched (npm ci)" "${log}")
        return()
    endif()
    file(TOUCH ${installed})
endif()

execute_process(COMMAND ${NODE} build.mjs --c ${OUT} WORKING_DIRECTORY ${VIEWER} RESULT_VARIABLE failed OUTPUT_VARIABLE log
    ERROR_VARIABLE log TIMEOUT 300)
if(failed)
    do_without("it could not be bundled (node viewer/build.mjs)" "${log}")
endif()

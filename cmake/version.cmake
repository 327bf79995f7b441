# CAPSTAN_VERSION, from the first of these that there is:
#   git, if this directory is a clone (and not a part of another one): tag v1.2.3, or commits since it, or PROJECT_VERSION-gCOMMIT;
#   cmake/version.txt, which `git archive` fills in: the same of a tarball;
#   PROJECT_VERSION.
set(CAPSTAN_VERSION ${PROJECT_VERSION})

function(capstan_set_version described)
    if(described MATCHES "^v[0-9]")
        string(SUBSTRING ${described} 1 -1 described)
        set(CAPSTAN_VERSION ${described} PARENT_SCOPE)
    elseif(described MATCHES "^[0-9a-f]+$")
        set(CAPSTAN_VERSION "${PROJECT_VERSION}-g${described}" PARENT_SCOPE)
    endif()
endfunction()

find_package(Git QUIET)
if(Git_FOUND AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
    execute_process(COMMAND ${GIT_EXECUTABLE} describe --tags --match "v[0-9]*" --always
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE described ERROR_QUIET
        OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE describe_failed)
    if(NOT describe_failed)
        capstan_set_version("${described}")
    endif()
else()
    file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/version.txt lines)
    list(GET lines 0 described)
    list(GET lines 1 commit)
    if(NOT described MATCHES "^v[0-9]")
        set(described ${commit}) # no tag, or a git that cannot describe in archives
    endif()
    capstan_set_version("${described}")
endif()

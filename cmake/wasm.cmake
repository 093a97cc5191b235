# The page without a server: scripts/wasm configures this with Emscripten. FLITCAST_LIBRARIES is the
# folder into which it built libyaml and Jansson, beside Random123's headers. There is no SQLite: a
# browser keeps no store.
set(FLITCAST_LIBRARIES "" CACHE PATH "libraries built by Emscripten")
foreach(library YAML:libyaml.a JANSSON:libjansson.a SQLITE:)
    string(REGEX MATCH "^([A-Z]+):(.*)$" unused ${library})
    add_library(PkgConfig::${CMAKE_MATCH_1} INTERFACE IMPORTED)
    if(CMAKE_MATCH_2)
        target_link_libraries(PkgConfig::${CMAKE_MATCH_1} INTERFACE ${FLITCAST_LIBRARIES}/lib/${CMAKE_MATCH_2})
    endif()
endforeach()
set(RANDOM123_INCLUDE ${FLITCAST_LIBRARIES}/include)

function(flitcast_add_page)
    add_executable(page src/wasm/page_calls.c src/wasm/no_store.c ${PAGE_SOURCES})
    target_link_libraries(page PRIVATE flitcast_static)
    set_target_properties(page PROPERTIES OUTPUT_NAME flitcast)
    # A forecast of 16384 nodes fits into 1 GiB; the stack holds what threads of the program have.
    target_link_options(page PRIVATE -sMODULARIZE -sEXPORT_NAME=flitcast -sENVIRONMENT=worker,node -sALLOW_MEMORY_GROWTH
                        -sMAXIMUM_MEMORY=2GB -sTOTAL_STACK=8MB -sFILESYSTEM=1 -sFORCE_FILESYSTEM -sEXPORTED_FUNCTIONS=_page_call,_malloc,_free
                        -sEXPORTED_RUNTIME_METHODS=FS,lengthBytesUTF8,stringToUTF8,UTF8ToString --no-entry)
endfunction()

# Writes OUTPUT, a C file that holds every file of FILES (relative to SOURCE_DIR) as a byte array, and
# LIST (declared in HEADER), an array of their paths, texts and lengths that ends with a path of NULL.
set(entries "")
set(arrays "")
set(number 0)
foreach(file ${FILES})
    file(READ ${SOURCE_DIR}/${file} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND arrays "static const unsigned char file_${number}[] = {${bytes}0};\n")
    string(APPEND entries "    {\"${file}\", (const char *)file_${number}, sizeof file_${number} - 1},\n")
    math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT} "#include \"${HEADER}\"\n\n${arrays}
${LIST}[] = {
${entries}    {NULL, NULL, 0},
};
")

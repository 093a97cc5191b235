# Writes OUTPUT, a C file that holds every file of FILES (relative to SOURCE_DIR) as a byte array.
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
file(WRITE ${OUTPUT} "#include \"base/embedded.h\"\n#include <string.h>\n\n${arrays}
static const struct {
    const char *path;
    const char *text;
    size_t length;
} files[] = {
${entries}    {NULL, NULL, 0},
};

const char *fc_embedded(const char *path, size_t *length)
{
    for (size_t i = 0; files[i].path; ++i) {
        if (strcmp(files[i].path, path) == 0) {
            *length = files[i].length;
            return files[i].text;
        }
    }
    return NULL;
}
")

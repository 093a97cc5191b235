/* The headers and the body of a request to the page's server. */
#include <stdint.h>
#include <string.h>
#include "page/page_request.h"
#include "serve/request_guard.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const page_guard guards[] = {{"127.0.0.1", 8017, "0123456789abcdef0123456789abcdef"},
                                 {"0.0.0.0", 80, "0123456789abcdef0123456789abcdef"}};
    page_request request;
    char sentence[160], text[256];
    if (page_request_read((const char *)data, size, &request, sentence))
        page_request_clear(&request);
    if (size >= sizeof text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    for (int i = 0; i < 2; ++i) {
        guard_accepts_host(&guards[i], text);
        guard_accepts_origin(&guards[i], text);
        guard_accepts_token(&guards[i], text);
    }
    return 0;
}

/* The JavaScript viewer of the pages that `capstan view` writes. The viewer is bundled from the folder viewer/ when capstan is
 * built, and stored in the program in compressed form. */
#ifndef CST_CLI_PAGE_VIEWER_H
#define CST_CLI_PAGE_VIEWER_H

#include <stddef.h>

typedef struct cst_page_viewer {
    const unsigned char *packed; /* zlib; NULL: built without a viewer */
    size_t packed_bytes, bytes;
} cst_page_viewer;

extern const cst_page_viewer cst_the_page_viewer;

#endif

/* In place of the viewer where there was no npm to bundle it with. */
#include "cli/page_viewer.h"

const cst_page_viewer cst_the_page_viewer = {NULL, 0, 0};

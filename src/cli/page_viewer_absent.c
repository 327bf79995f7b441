/* Empty data that take the place of the viewer of `capstan view` if npm was not available at build time. */
#include "cli/page_viewer.h"

const cst_page_viewer cst_the_page_viewer = {NULL, 0, 0};

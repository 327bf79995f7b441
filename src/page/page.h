/* Writes the page of `capstan view`: the viewer with one run, or two side by side (page/page_format.h). */
#ifndef CST_PAGE_PAGE_H
#define CST_PAGE_PAGE_H

#include "cache/cache_read.h"
#include "page/page_bytes.h"
#include "page/page_table.h"

typedef struct cst_page_run {
    cst_cache *cache;
    const char *name; /* shown in place of the title if a single run has no title, or if the titles of two runs are equal or one
                       * of them is missing */
    bool camera_given;
    double camera_center[3], camera_height;  /* centre and height of the view (m); height 0: the view is fitted to the run */
    double camera_azimuth, camera_elevation; /* degrees, in 3D; NAN: not given */
    const cst_page_table *probe;
    int probes;
} cst_page_run;

/* Which frames. */
typedef struct cst_page_choice {
    double from, to; /* s */
    int every;       /* use every n-th frame between `from` and `to`, starting with the first */
} cst_page_choice;

/* What was written. */
typedef struct cst_page_size {
    int64_t frames, vertices, contacts; /* over all runs and frames */
} cst_page_size;

/* Progress callback, called after every frame; if it returns false, writing stops. May be NULL. */
typedef bool (*cst_page_progress)(void *user, int64_t frames_done, int64_t frames);

/* `viewer`: text of the HTML page without data; the data are inserted before its closing body tag. If the page cannot be written,
 * the function returns false and writes a message. */
bool cst_page_write(FILE *to, const char *viewer, size_t viewer_bytes, const cst_page_run *run, int runs,
                    const cst_page_choice *choice, cst_page_progress progress, void *progress_user, cst_page_size *size,
                    char *message, size_t message_size);

#endif

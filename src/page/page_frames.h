/* Writes the frames of a cache as blocks of the HTML page, and gathers data about all frames. */
#ifndef CST_PAGE_PAGE_FRAMES_H
#define CST_PAGE_PAGE_FRAMES_H

#include "cache/cache_read.h"
#include "cache/spread.h"
#include "page/page.h"
#include "page/page_frame.h"

typedef struct cst_page_block {
    int frames;
    size_t bytes;
} cst_page_block;

/* Channels: the numbers that a frame of the page stores for each vertex. The channels for the twist and the three components of
 * the director exist only if the last frame has fibers with directors. */
enum { CST_PAGE_CURVATURE = 0, CST_PAGE_SPEED, CST_PAGE_TWIST, CST_PAGE_DIRECTOR, CST_PAGE_CHANNELS = CST_PAGE_DIRECTOR + 3 };

typedef struct cst_page_frames {
    cst_page_precision precision;
    int64_t count; /* chosen ones */
    int64_t *index;
    double *time;
    int blocks;
    cst_page_block *block;
    int channels; /* that are written */
    cst_spread channel[CST_PAGE_CHANNELS], force;
    cst_bounds bodies, surroundings; /* boxes over all frames, without half-planes */
    int64_t vertices, contacts;
    /* largest number of fibers in a frame, over all chosen frames; a fiber is a body drawn as an open curve of more than two
     * vertices */
    int fibers;
} cst_page_frames;

/* Selects the frames of the cache that the page shows. Returns false with a message if there are none, the cache cannot be read
 * or memory ran out. */
bool cst_page_frames_choose(cst_cache *cache, const cst_page_choice *choice, cst_page_frames *out, char *message,
                            size_t message_size);

/* Progress while a page is written, over all runs of the page: `done` is the number of frames written so far, `all` the number of
 * frames to write. */
typedef struct cst_page_steps_done {
    cst_page_progress progress;
    void *user;
    int64_t done, all;
} cst_page_steps_done;

bool cst_page_frames_write(cst_cache *cache, int run, cst_page_frames *frames, cst_page_steps_done *steps, FILE *to,
                           char *message, size_t message_size);

void cst_page_frames_free(cst_page_frames *frames);

/* Writes bytes as a data element of the HTML page. */
bool cst_page_element_write(FILE *to, int run, const char *what, int number, const cst_page_bytes *bytes,
                            cst_page_bytes *scratch);

#endif

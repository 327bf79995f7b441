/* Draws a run as one picture, as several pictures on a contact sheet, or as a video. */
#ifndef CST_CLI_RENDER_JOB_H
#define CST_CLI_RENDER_JOB_H

#include "cli/progress.h"
#include "render/lettering.h"
#include "render/picture.h"

typedef struct cst_render_job {
    /* Given */
    const char *run; /* directory */
    /* text that selects the camera, or NULL: "scene" for the camera of the scene, a name such as "front" for a camera that is
     * fitted to the run (cst_camera_is_fit), or the numbers of a camera (cst_camera_read) */
    const char *camera;
    bool fit_frame;    /* true: only one frame is drawn, and the camera is fitted to it; `camera` is then NULL */
    int width, height; /* pixels; 0: default size */
    int threads;
    int every_fiber;         /* 1: all */
    bool colour_given;       /* otherwise style.colour_by is chosen automatically */
    cst_picture_style style; /* density is found */
    /* Made by cst_render_open */
    cst_cache *cache;
    cst_run_reader *reader;
    cst_survey survey;
    cst_picture *picture;
    cst_progress progress;
    double first, last; /* first and last time of the run's frames (s) */
    double fit_time;    /* of fit_frame (s) */
    bool lettering;     /* requested, and possible in this build */
} cst_render_job;

/* Before a call of cst_render_open, the caller sets `width` and `height`, the size of the picture or of the whole contact sheet.
 * If cst_render_open fails, it returns false with a message; the caller must call cst_render_close even then. */
bool cst_render_open(cst_render_job *job, char *message, size_t message_size);
void cst_render_close(cst_render_job *job);

/* The functions cst_render_picture, cst_render_sheet and cst_render_video write a file completely or not at all. Without ffmpeg,
 * cst_render_video writes its pictures to a directory instead. Each function that writes a file returns false with a message on
 * failure; cst_interrupted() tells if the user interrupted the drawing. */
bool cst_render_picture(cst_render_job *job, double time, const char *path, char *message, size_t message_size);
bool cst_render_sheet(cst_render_job *job, int instants, double from, double to, const char *path, char *message,
                      size_t message_size);

typedef struct cst_render_video_report {
    int64_t frames;
    double seconds;  /* time (s) to draw the pictures and their text; the time of ffmpeg is not included */
    char *directory; /* directory with the pictures if there is no ffmpeg; the caller frees the text */
} cst_render_video_report;

bool cst_render_video(cst_render_job *job, double from, double to, double speed, double fps, const char *path,
                      cst_render_video_report *report, char *message, size_t message_size);

#endif

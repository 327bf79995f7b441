/* Pictures of a run: one, many on a sheet, or a video. */
#ifndef CST_CLI_RENDER_JOB_H
#define CST_CLI_RENDER_JOB_H

#include "cli/progress.h"
#include "render/lettering.h"
#include "render/picture.h"

typedef struct cst_render_job {
    /* Given */
    const char *run;    /* directory */
    const char *camera; /* NULL, "scene", a fit (cst_camera_is_fit) or numbers: cst_camera_read */
    bool fit_frame;     /* the camera is to see all of the one frame that is drawn; camera is NULL */
    int width, height;  /* pixels; 0: the usual size */
    int threads;
    int every_fiber;         /* 1: all */
    bool colour_given;       /* else style.colour_by is found */
    cst_picture_style style; /* density is found */
    /* Made by cst_render_open */
    cst_cache *cache;
    cst_run_reader *reader;
    cst_survey survey;
    cst_picture *picture;
    cst_progress progress;
    double first, last; /* s: what the frames of the run span */
    double fit_time;    /* s: of fit_frame */
    bool lettering;     /* wanted, and this build can */
} cst_render_job;

/* width and height of the picture, or of one on a sheet, must be set. False with a message; close it either way. */
bool cst_render_open(cst_render_job *job, char *message, size_t message_size);
void cst_render_close(cst_render_job *job);

/* Each writes a file, whole or not at all. False with a message; cst_interrupted() if that was why. */
bool cst_render_picture(cst_render_job *job, double time, const char *path, char *message, size_t message_size);
bool cst_render_sheet(cst_render_job *job, int instants, double from, double to, const char *path, char *message,
                      size_t message_size);

typedef struct cst_render_video_report {
    int64_t frames;
    double seconds;  /* spent on drawing and lettering; the time of ffmpeg is not counted */
    char *directory; /* of pictures, if there is no ffmpeg; to be freed */
} cst_render_video_report;

bool cst_render_video(cst_render_job *job, double from, double to, double speed, double fps, const char *path,
                      cst_render_video_report *report, char *message, size_t message_size);

#endif

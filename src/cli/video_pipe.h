/* Makes a video from a sequence of pictures, by ffmpeg in a separate process. */
#ifndef CST_CLI_VIDEO_PIPE_H
#define CST_CLI_VIDEO_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cst_video_pipe cst_video_pipe;

/* Returns true if the file name extension is a supported video format: .mp4 (H.264), .webm (VP9), .gif. */
bool cst_video_known(const char *path);

typedef enum cst_video_start {
    CST_VIDEO_STARTED = 0,
    CST_VIDEO_NO_FFMPEG, /* it is not installed */
    CST_VIDEO_FAILED     /* the message says why */
} cst_video_start;

/* The file name extension selects the format; width and height must be even numbers. The video file appears at its path when it
 * is complete. */
cst_video_start cst_video_begin(cst_video_pipe **out, const char *path, int width, int height, double fps, char *message,
                                size_t message_size);

/* Returns false if ffmpeg accepts no more data. Format of pixels: 0xffRRGGBB. */
bool cst_video_add(cst_video_pipe *video, const uint32_t *pixel);

/* The functions cst_video_end and cst_video_abandon free the video. The function cst_video_end returns false with a message on
 * failure. */
bool cst_video_end(cst_video_pipe *video, char *message, size_t message_size);
void cst_video_abandon(cst_video_pipe *video);

#endif

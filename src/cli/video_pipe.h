/* Pictures one after the other into a video, by ffmpeg in a process of its own. */
#ifndef CST_CLI_VIDEO_PIPE_H
#define CST_CLI_VIDEO_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cst_video_pipe cst_video_pipe;

/* Whether the ending of a name is that of a video that can be made: .mp4 (H.264), .webm (VP9), .gif. */
bool cst_video_known(const char *path);

typedef enum cst_video_start {
    CST_VIDEO_STARTED = 0,
    CST_VIDEO_NO_FFMPEG, /* it is not installed */
    CST_VIDEO_FAILED     /* the message says why */
} cst_video_start;

/* Of the kind that the ending of the path says; even width and height. The file appears at its path when it is complete. */
cst_video_start cst_video_begin(cst_video_pipe **out, const char *path, int width, int height, double fps, char *message,
                                size_t message_size);

/* False if ffmpeg takes no more: end or abandon says why. pixel: 0xffRRGGBB. */
bool cst_video_add(cst_video_pipe *video, const uint32_t *pixel);

/* Both free it. False with a message. */
bool cst_video_end(cst_video_pipe *video, char *message, size_t message_size);
void cst_video_abandon(cst_video_pipe *video);

#endif

#include "cli/video_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct cst_video_pipe {
    pid_t process;
    int to;
    size_t frame_bytes;
    char *path, *part; /* it is written to the part, which is renamed in the end */
};

static char *text_of(const char *before, const char *path, const char *after)
{
    size_t size = strlen(before) + strlen(path) + strlen(after) + 1;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%s%s%s", before, path, after);
    return text;
}

static void release(cst_video_pipe *video)
{
    free(video->path);
    free(video->part);
    free(video);
}

/* ffmpeg reads the pipe as its standard input and says only what goes wrong. Its errno. */
static int spawn(cst_video_pipe *video, int from, const char *output, int width, int height, double fps)
{
    char size[32], rate[32];
    snprintf(size, sizeof size, "%dx%d", width, height);
    snprintf(rate, sizeof rate, "%.6g", fps);
    /* Colours of screens, said to be so: players guess otherwise. crf 17: no loss that is seen. */
    const char *const argument[] = {"ffmpeg",
                                    "-y",
                                    "-xerror",
                                    "-loglevel",
                                    "error",
                                    "-f",
                                    "rawvideo",
                                    "-pix_fmt",
                                    "bgr0",
                                    "-s:v",
                                    size,
                                    "-r",
                                    rate,
                                    "-i",
                                    "-",
                                    "-an",
                                    "-vf",
                                    "scale=out_color_matrix=bt709",
                                    "-c:v",
                                    "libx264",
                                    "-preset",
                                    "medium",
                                    "-crf",
                                    "17",
                                    "-pix_fmt",
                                    "yuv420p",
                                    "-colorspace",
                                    "bt709",
                                    "-color_primaries",
                                    "bt709",
                                    "-color_trc",
                                    "bt709",
                                    "-movflags",
                                    "+faststart",
                                    "-f",
                                    "mp4",
                                    output,
                                    NULL};
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
    if (!error)
        error = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (!error)
        error = posix_spawnp(&video->process, argument[0], &actions, NULL, (char *const *)argument, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

cst_video_start cst_video_begin(cst_video_pipe **out, const char *path, int width, int height, double fps, char *message,
                                size_t message_size)
{
    int end[2];
    cst_video_pipe *video = calloc(1, sizeof *video);
    *out = NULL;
    if (video) {
        video->path = text_of("", path, "");
        video->part = text_of("", path, ".part");
    }
    /* file: or ffmpeg would take a name with a colon for a protocol. */
    char *output = video && video->part ? text_of("file:", video->part, "") : NULL;
    if (!output || !video->path || pipe(end) != 0) {
        snprintf(message, message_size, "%s", output ? strerror(errno) : "out of memory");
        free(output);
        if (video)
            release(video);
        return CST_VIDEO_FAILED;
    }
    fcntl(end[1], F_SETFD, FD_CLOEXEC); /* or ffmpeg would hold its own input open for ever */
    int error = spawn(video, end[0], output, width, height, fps);
    close(end[0]);
    free(output);
    if (error) {
        close(end[1]);
        snprintf(message, message_size, "ffmpeg: %s", strerror(error));
        release(video);
        return error == ENOENT || error == EACCES ? CST_VIDEO_NO_FFMPEG : CST_VIDEO_FAILED;
    }
    signal(SIGPIPE, SIG_IGN); /* ffmpeg that ends early is told by write */
    video->to = end[1];
    video->frame_bytes = (size_t)width * (size_t)height * sizeof(uint32_t);
    *out = video;
    return CST_VIDEO_STARTED;
}

bool cst_video_add(cst_video_pipe *video, const uint32_t *pixel)
{
    const char *at = (const char *)pixel;
    for (size_t left = video->frame_bytes; left > 0;) {
        ssize_t written = write(video->to, at, left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        at += written;
        left -= (size_t)written;
    }
    return true;
}

static int wait_for(cst_video_pipe *video)
{
    int status = -1;
    close(video->to);
    while (waitpid(video->process, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* An MP4 file is a row of boxes, each with its length and kind in front; without a whole "moov" nobody can play it. ffmpeg has been seen
 * to end with status 0 on a disk that was full when the last box was due. */
static bool playable(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    off_t end = descriptor >= 0 ? lseek(descriptor, 0, SEEK_END) : -1, at = 0;
    bool moov = false;
    while (at < end) {
        uint8_t box[16];
        uint64_t bytes = 0;
        ssize_t got = pread(descriptor, box, sizeof box, at);
        if (got < 8)
            break;
        for (int k = 0; k < 4; k++)
            bytes = bytes << 8 | box[k];
        if (bytes == 1 && got == (ssize_t)sizeof box) { /* 64 bits behind the kind */
            bytes = 0;
            for (int k = 8; k < 16; k++)
                bytes = bytes << 8 | box[k];
        }
        moov = moov || memcmp(box + 4, "moov", 4) == 0;
        if (bytes < 8 || bytes > (uint64_t)(end - at))
            break;
        at += (off_t)bytes;
    }
    if (descriptor >= 0)
        close(descriptor);
    return moov && at == end;
}

bool cst_video_end(cst_video_pipe *video, char *message, size_t message_size)
{
    int status = wait_for(video);
    bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0 && playable(video->part);
    if (!good) {
        snprintf(message, message_size, "%s: ffmpeg could not make the video", video->path);
    } else if (rename(video->part, video->path) != 0) {
        snprintf(message, message_size, "%s: %s", video->path, strerror(errno));
        good = false;
    }
    if (!good)
        unlink(video->part);
    release(video);
    return good;
}

void cst_video_abandon(cst_video_pipe *video)
{
    kill(video->process, SIGTERM);
    wait_for(video);
    unlink(video->part);
    release(video);
}

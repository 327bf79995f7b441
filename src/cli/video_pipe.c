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
    char *path, *part; /* ffmpeg writes to the temporary file `part`, which is renamed to `path` at the end */
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

/* Options of ffmpeg for each file name extension. The colour space is stated explicitly, because players would otherwise guess
 * it. With the quality setting crf 17 (VP9: 24), compression causes no visible loss. A GIF uses the 256 colours that fit the
 * video best. */
static const char *const mp4[] = {"-vf",
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
                                  NULL};
static const char *const webm[] = {"-vf",         "scale=out_color_matrix=bt709",
                                   "-c:v",        "libvpx-vp9",
                                   "-b:v",        "0",
                                   "-crf",        "24",
                                   "-row-mt",     "1",
                                   "-pix_fmt",    "yuv420p",
                                   "-colorspace", "bt709",
                                   "-f",          "webm",
                                   NULL};
static const char *const gif[] = {
    "-vf", "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer:bayer_scale=4", "-loop", "0", "-f", "gif",
    NULL};

static const struct {
    const char *ending;
    const char *const *making;
} kinds[] = {{".mp4", mp4}, {".webm", webm}, {".gif", gif}};

static const char *const *making_of(const char *path)
{
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const size_t length = strlen(path), own = strlen(kinds[k].ending);
        if (length > own && strcmp(path + length - own, kinds[k].ending) == 0)
            return kinds[k].making;
    }
    return NULL;
}

bool cst_video_known(const char *path)
{
    return making_of(path) != NULL;
}

/* Starts ffmpeg, which reads the pipe as its standard input and prints only errors. Returns 0, or an error number (errno.h). */
static int spawn(cst_video_pipe *video, int from, const char *output, int width, int height, double fps)
{
    enum { ARGUMENTS = 48 };
    char size[32], rate[32];
    snprintf(size, sizeof size, "%dx%d", width, height);
    snprintf(rate, sizeof rate, "%.6g", fps);
    const char *const reading[] = {"ffmpeg", "-y", "-xerror", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "bgr0",
                                   "-s:v",   size, "-r",      rate,        "-i",    "-",  "-an",      NULL};
    const char *const *making = making_of(video->path), *argument[ARGUMENTS];
    int count = 0;
    for (int k = 0; reading[k]; k++)
        argument[count++] = reading[k];
    for (int k = 0; making && making[k]; k++)
        argument[count++] = making[k];
    argument[count++] = output;
    argument[count] = NULL;
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
    /* The prefix "file:" prevents ffmpeg from reading a file name with a colon as the name of a protocol. */
    char *output = video && video->part ? text_of("file:", video->part, "") : NULL;
    if (!output || !video->path || pipe(end) != 0) {
        snprintf(message, message_size, "%s", output ? strerror(errno) : "out of memory");
        free(output);
        if (video)
            release(video);
        return CST_VIDEO_FAILED;
    }
    fcntl(end[1], F_SETFD, FD_CLOEXEC); /* ffmpeg must not inherit the writing end of its own input pipe */
    int error = spawn(video, end[0], output, width, height, fps);
    close(end[0]);
    free(output);
    if (error) {
        close(end[1]);
        snprintf(message, message_size, "ffmpeg: %s", strerror(error));
        release(video);
        return error == ENOENT || error == EACCES ? CST_VIDEO_NO_FFMPEG : CST_VIDEO_FAILED;
    }
    /* SIGPIPE is ignored, so that a write to the pipe fails, and does not end this process, if ffmpeg has ended early */
    signal(SIGPIPE, SIG_IGN);
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

/* Returns true if an MP4 file is complete. An MP4 file is a sequence of boxes, each preceded by its length and type; without a
 * complete "moov" box it cannot be played. MP4 files are checked because ffmpeg may end with status 0 although the disk became
 * full before the last box (section) of the file was written. */
static bool whole_mp4(const char *path)
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
        if (bytes == 1 && got == (ssize_t)sizeof box) { /* 64-bit length after the type */
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

static bool read_at(int descriptor, off_t at, uint8_t *out, size_t count)
{
    return descriptor >= 0 && pread(descriptor, out, count, at) == (ssize_t)count;
}

/* Returns true if a GIF file has its header and ends with the byte 0x3b, which ends every complete GIF file. */
static bool whole_gif(const char *path)
{
    uint8_t head[6], last;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    const off_t end = descriptor >= 0 ? lseek(descriptor, 0, SEEK_END) : -1;
    const bool good = end > 7 && read_at(descriptor, 0, head, sizeof head) && memcmp(head, "GIF89a", sizeof head) == 0 &&
                      read_at(descriptor, end - 1, &last, 1) && last == 0x3b;
    if (descriptor >= 0)
        close(descriptor);
    return good;
}

/* Returns true if a WebM file is complete. A WebM file consists of a header and a segment; ffmpeg writes the length of the
 * segment last, so a segment with its stated length is complete. */
static bool whole_webm(const char *path)
{
    static const uint8_t ebml[4] = {0x1a, 0x45, 0xdf, 0xa3}, segment[4] = {0x18, 0x53, 0x80, 0x67};
    uint8_t head[5], own[12] = {0};
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    const off_t end = descriptor >= 0 ? lseek(descriptor, 0, SEEK_END) : -1;
    bool good = read_at(descriptor, 0, head, sizeof head) && memcmp(head, ebml, sizeof ebml) == 0 && (head[4] & 0x80);
    const off_t at = good ? 5 + (head[4] & 0x7f) : 0;
    good = good && read_at(descriptor, at, own, sizeof own) && memcmp(own, segment, sizeof segment) == 0 && own[4] == 0x01;
    uint64_t bytes = 0;
    for (int k = 5; k < 12; k++)
        bytes = bytes << 8 | own[k];
    good = good && bytes == (uint64_t)(end - at - 12);
    if (descriptor >= 0)
        close(descriptor);
    return good;
}

/* Checks if the video file is complete, because ffmpeg's exit status does not always report a full disk. */
static bool playable(const cst_video_pipe *video)
{
    const char *const *making = making_of(video->path);
    return making == gif ? whole_gif(video->part) : making == webm ? whole_webm(video->part) : whole_mp4(video->part);
}

bool cst_video_end(cst_video_pipe *video, char *message, size_t message_size)
{
    int status = wait_for(video);
    bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0 && playable(video);
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

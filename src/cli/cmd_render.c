/* capstan render: draws pictures and videos of a run, without a display. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/render_job.h"
#include "cli/video_pipe.h"
#include "write/directory.h"

enum { WIDTH = 1280, HEIGHT = 720, INSTANTS = 9, INSTANTS_MAX = 100, SIZE_MAX_PIXELS = 16384 };

typedef struct request {
    cst_render_job job;
    const char *out, *video, *size;
    double at, from, to, fps, speed;
    int instants; /* number of pictures on a contact sheet (frames side by side in one file); 0: no contact sheet */
    int colour_by, hair, fit;
} request;

static bool read_size(request *asked, char *message, size_t message_size)
{
    int width = 0, height = 0;
    char rest = 0;
    if (asked->size && (sscanf(asked->size, "%dx%d%c", &width, &height, &rest) != 2 || width < 64 || height < 64 ||
                        width > SIZE_MAX_PIXELS || height > SIZE_MAX_PIXELS)) {
        snprintf(message, message_size, "--size %s: give it as WIDTHxHEIGHT in pixels, from 64x64 to %dx%d", asked->size,
                 SIZE_MAX_PIXELS, SIZE_MAX_PIXELS);
        return false;
    }
    if (!asked->size && !asked->instants) { /* a sheet computes its own size */
        width = WIDTH;
        height = HEIGHT;
    }
    asked->job.width = asked->video ? width + width % 2 : width;
    asked->job.height = asked->video ? height + height % 2 : height;
    return true;
}

static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), own = strlen(ending);
    return length > own && strcmp(path + length - own, ending) == 0;
}

/* Reports contradictory options before any file is opened. */
static bool check(const request *asked, char *message, size_t message_size)
{
    const char *why = NULL;
    bool at = !isnan(asked->at), span = !isnan(asked->from) || !isnan(asked->to);
    if (asked->video && asked->instants)
        why = "a video or a contact sheet: choose one";
    else if (at && (asked->video || asked->instants))
        why = "--at is for one picture; a video and a contact sheet take --from and --to";
    else if (span && !asked->video && !asked->instants)
        why = "--from and --to are for --video and --contact-sheet; one picture takes --at";
    else if (asked->video && asked->out)
        why = "--video names its own file; leave --out out";
    else if (asked->video && !cst_video_known(asked->video))
        why = "a video is written as .mp4, .webm or .gif";
    else if (asked->fit >= 0 && asked->job.camera)
        why = "give --fit or --camera, not both";
    else if (asked->fit == 1 && (asked->video || asked->instants))
        why = "--fit frame is for one picture; a sheet and a video have one camera for all";
    else if (asked->out && !ends_in(asked->out, ".png"))
        why = "a picture is written as .png";
    if (why)
        snprintf(message, message_size, "%s", why);
    return !why;
}

static bool check_time(const request *asked, const char *option, double *time, double usual, char *message, size_t message_size)
{
    const cst_render_job *job = &asked->job;
    double slack = 1e-9 * fmax(1.0, fabs(job->last));
    if (isnan(*time))
        *time = usual;
    if (*time >= job->first - slack && *time <= job->last + slack)
        return true;
    snprintf(message, message_size, "--%s %g: the run has frames from %g s to %g s", option, *time, job->first, job->last);
    return false;
}

static bool check_times(request *asked, char *message, size_t message_size)
{
    const cst_render_job *job = &asked->job;
    if (!check_time(asked, "at", &asked->at, job->last, message, message_size) ||
        !check_time(asked, "from", &asked->from, job->first, message, message_size) ||
        !check_time(asked, "to", &asked->to, job->last, message, message_size))
        return false;
    if (asked->from <= asked->to)
        return true;
    snprintf(message, message_size, "there is no time from %g s to %g s", asked->from, asked->to);
    return false;
}

static bool make_video(request *asked, char *message, size_t message_size)
{
    cst_render_job *job = &asked->job;
    cst_render_video_report report;
    bool good =
        cst_render_video(job, asked->from, asked->to, asked->speed, asked->fps, asked->video, &report, message, message_size);
    if (good && report.directory)
        printf("ffmpeg is not installed: wrote %lld pictures of %dx%d to %s instead\n"
               "with it: ffmpeg -framerate %g -i %s/%%05d.png -pix_fmt yuv420p %s\n",
               (long long)report.frames, job->width, job->height, report.directory, asked->fps, report.directory, asked->video);
    else if (good)
        printf("wrote %s: %lld pictures of %dx%d, %.3g s\n", asked->video, (long long)report.frames, job->width, job->height,
               (double)report.frames / asked->fps);
    if (good)
        printf("%.1f ms to draw each, on %d threads\n", 1e3 * report.seconds / (double)report.frames, job->threads);
    free(report.directory);
    return good;
}

static bool make_picture(request *asked, char *message, size_t message_size)
{
    char *own = asked->out ? NULL : cst_path_join(asked->job.run, asked->instants ? "contact_sheet" : "picture", ".png");
    const char *path = asked->out ? asked->out : own;
    bool good;
    if (!path) {
        snprintf(message, message_size, "not enough memory");
        good = false;
    } else if (asked->instants) {
        good = cst_render_sheet(&asked->job, asked->instants, asked->from, asked->to, path, message, message_size);
    } else {
        good = cst_render_picture(&asked->job, asked->at, path, message, message_size);
    }
    if (good)
        printf("wrote %s\n", path);
    free(own);
    return good;
}

static int processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > 64 ? 64 : (int)count;
}

static const cst_command command = {
    .name = "capstan render",
    .usage = "RUN [options]",
    .about = "Draws a run: a picture, a contact sheet or a video. Needs no display.",
    .more = "RUN is the directory that capstan run made. Between saved frames, positions are\n"
            "interpolated.",
    .ending = "Exit status: 0 written, 2 bad arguments, a run that cannot be read or a file that could not\n"
              "be written, 130 stopped by Ctrl-C.\n"
              "\n"
              "Examples:\n"
              "  capstan render fall.run --at 0.4 --contacts --out fall.png\n"
              "  capstan render fall.run --contact-sheet 12\n"
              "  capstan render fall.run --video fall.mp4 --speed 0.2\n"
              "  capstan render hair.run --camera fit,30,20 --hair auburn"};

int cst_command_render(int argc, char **argv)
{
    request asked = {.at = NAN,
                     .from = NAN,
                     .to = NAN,
                     .fps = 30.0,
                     .speed = 1.0,
                     .job.threads = processors(),
                     .colour_by = -1,
                     .fit = -1,
                     .job.every_fiber = 1};
    static const char *const fits[] = {"run", "frame", NULL};
    cst_picture_style *style = &asked.job.style;
    const cst_option options[] = {
        cst_option_real("at", &asked.at, "T", -1e300, 1e300, "one picture, at this time in s (the end)"),
        cst_option_text("out", &asked.out, "FILE.png", "where the picture goes (RUN/picture.png, RUN/contact_sheet.png)"),
        cst_option_count("contact-sheet", &asked.instants, "[N]", 1, INSTANTS_MAX, INSTANTS, "N instants on one picture (9)"),
        cst_option_text("video", &asked.video, "FILE",
                        "a video, .mp4, .webm or .gif, by ffmpeg; without it, pictures in\nFILE.frames/"),
        cst_option_real("from", &asked.from, "T", -1e300, 1e300, "time that a video or a sheet begins at, in s"),
        cst_option_real("to", &asked.to, "T", -1e300, 1e300, "time that it ends at, in s"),
        cst_option_real("fps", &asked.fps, "N", 0.1, 240, "pictures per second of a video (30)"),
        cst_option_real("speed", &asked.speed, "X", 1e-6, 1e6, "seconds of the run per second of the video (1)"),
        cst_option_text("size", &asked.size, "WxH", "pixels (1280x720; a sheet: 1800 wide)"),
        cst_option_text("camera", &asked.job.camera, "WHAT",
                        "scene (its own, if it has one), fit (the whole run), X,Y,HEIGHT in m;\n"
                        "in space also front, side, top, fit,AZIMUTH,ELEVATION in degrees,\n"
                        "X,Y,Z,HEIGHT[,AZIMUTH,ELEVATION] in m and degrees"),
        cst_option_choice("fit", &asked.fit, "WHAT", fits,
                          "run: all that moves in the whole run; frame: all that is there at that time"),
        cst_option_choice("colour", &asked.colour_by, "WHAT", cst_colour_by_names,
                          "what colours of bodies say (body; hair, of a hundred fibers and more)"),
        cst_option_choice("hair", &asked.hair, "TONE", cst_hair_tone_names, "natural colour of hair (brown)"),
        cst_option_integer("every-fiber", &asked.job.every_fiber, "K", 1, 1000000,
                           "only every K-th rod or fiber, and its contacts"),
        cst_option_flag("contacts", &style->contacts, "contacts as dots, their forces as arrows"),
        cst_option_flag("dark", &style->dark, "light on dark"),
        cst_option_flag("plain", &style->plain, "no grid and no lettering"),
        cst_option_integer("threads", &asked.job.threads, "N", 1, 256,
                           "the bits of pictures do not depend on it (all processors)"),
    };
    int code;
    const int operands = cst_arguments_parse(&command, options, CST_OPTION_COUNT_OF(options), argc, argv, &code);
    if (operands < 0)
        return code;
    char message[512] = "name the directory of one run";
    asked.job.run = operands == 1 ? argv[0] : "";
    asked.job.colour_given = asked.colour_by >= 0;
    style->colour_by = asked.colour_by >= 0 ? (cst_colour_by)asked.colour_by : CST_BY_BODY;
    style->hair = (cst_hair_tone)asked.hair;
    cst_interrupt_install();
    bool good = operands == 1 && check(&asked, message, sizeof message);
    asked.job.fit_frame = asked.fit == 1;
    if (asked.fit == 0)
        asked.job.camera = "fit";
    good = good && read_size(&asked, message, sizeof message) && cst_render_open(&asked.job, message, sizeof message) &&
           check_times(&asked, message, sizeof message);
    if (good)
        good = asked.video ? make_video(&asked, message, sizeof message) : make_picture(&asked, message, sizeof message);
    cst_render_close(&asked.job);
    if (!good)
        fprintf(stderr, "capstan render: %s\n", message);
    return good ? CST_EXIT_SOLVED : cst_interrupted() ? CST_EXIT_INTERRUPTED : CST_EXIT_BAD;
}

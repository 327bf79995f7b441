#include "cli/render_job.h"
#include "cli/run_argument.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "chart/canvas_png.h"
#include "cli/video_pipe.h"
#include "render/contact_marks.h"
#include "render/grid.h"
#include "render/hair.h"
#include "render/png_write.h"
#include "scene/scene.h"
#include "write/directory.h"
#include "write/file_write.h"

enum { SHEET_WIDTH = 1800, FRAMES_MAX = 1000000 };
/* Distances in points on a contact sheet (several pictures in one file): the space above all pictures, the space between two
 * pictures, and the space above each picture for its time. */
#define SHEET_HEAD 52.0
#define SHEET_GAP 14.0
#define SHEET_CAPTION 22.0

/* ----------------------------------------------------------------------------------------------------------------- opening */

static bool keep_on(void *user, int64_t done, int64_t all)
{
    cst_render_job *job = user;
    if (done % 64 == 0)
        cst_progress_note(&job->progress, "reading the run: frame %lld of %lld", (long long)done, (long long)all);
    return !cst_interrupted();
}

static bool survey(cst_render_job *job, char *message, size_t message_size)
{
    return job->survey.made || cst_survey_make(&job->survey, job->reader, keep_on, job, message, message_size);
}

/* Chooses the colours: hair colours if a 3D scene has at least CST_HAIR_FIBERS open fibers, otherwise one colour for each
 * body. */
static bool find_colour(cst_render_job *job, char *message, size_t message_size)
{
    cst_moment now;
    if (cst_cache_about(job->cache)->dim == 2)
        return true;
    if (!cst_run_reader_at(job->reader, job->first, &now, message, message_size))
        return false;
    if (cst_hair_count(&now) >= CST_HAIR_FIBERS)
        job->style.colour_by = CST_BY_HAIR;
    return true;
}

bool cst_render_open(cst_render_job *job, char *message, size_t message_size)
{
    char why[256];
    if (!cst_is_directory(job->run, message, message_size))
        return false;
    job->cache = cst_cache_open(job->run, message, message_size);
    if (!job->cache)
        return false;
    cst_cache_every_fiber(job->cache, job->every_fiber);
    job->reader = cst_run_reader_new(job->cache, why, sizeof why);
    job->picture = job->reader ? cst_picture_new(job->threads) : NULL;
    if (!job->picture) {
        snprintf(message, message_size, "%s: %s", job->run, job->reader ? "not enough memory" : why);
        return false;
    }
    const double *time;
    int64_t frames = cst_run_reader_times(job->reader, &time);
    job->first = time[0];
    job->last = time[frames - 1];
    job->lettering = !job->style.plain;
    if (!job->colour_given && !find_colour(job, message, message_size))
        return false;
    bool needed = job->style.contacts || cst_colour_needs_survey(job->style.colour_by);
    return !needed || survey(job, message, message_size);
}

void cst_render_close(cst_render_job *job)
{
    cst_progress_end(&job->progress);
    cst_picture_free(job->picture);
    cst_run_reader_free(job->reader);
    cst_cache_close(job->cache);
}

/* ------------------------------------------------------------------------------------------------------------------ camera */

static double degrees_or(double radians, double usual)
{
    return isnan(radians) ? usual : radians * 180.0 / acos(-1.0);
}

/* Reads the camera from the scene stored in the cache. Returns false if the scene has no camera, or if this version of Capstan
 * cannot read the scene; the viewing direction is set even then. */
static bool scene_camera(const cst_render_job *job, cst_camera *out)
{
    const char *text = cst_cache_about(job->cache)->scene;
    cst_scene *scene = cst_scene_read_text(text, strlen(text), "scene", NULL, 0, NULL);
    const cst_scene_fault *fault;
    bool given = false;
    *out = (cst_camera){.azimuth = CST_CAMERA_AZIMUTH, .elevation = CST_CAMERA_ELEVATION};
    if (scene && cst_scene_faults(scene, &fault) == 0) {
        const cst_scene_camera *camera = cst_scene_view(scene);
        given = camera->given && camera->height > 0.0;
        *out = (cst_camera){.height = camera->height,
                            .azimuth = degrees_or(camera->azimuth, CST_CAMERA_AZIMUTH),
                            .elevation = degrees_or(camera->elevation, CST_CAMERA_ELEVATION)};
        memcpy(out->center, camera->center, sizeof out->center);
    }
    cst_scene_free(scene);
    return given;
}

/* Fits the camera to one frame; the viewing direction is that of the scene. */
static bool fit_frame(cst_render_job *job, int dim, double aspect, int width, int height, cst_view *out, char *message,
                      size_t message_size)
{
    cst_moment now;
    cst_camera camera;
    if (!cst_run_reader_at(job->reader, job->fit_time, &now, message, message_size))
        return false;
    cst_bounds bodies = {0}, surroundings = {0};
    cst_moment_bounds(&now, &bodies, &surroundings);
    scene_camera(job, &camera);
    camera = cst_camera_fit(dim, &bodies, &surroundings, aspect, camera.azimuth, camera.elevation);
    *out = cst_view_make(dim, &camera, width, height);
    return true;
}

/* Computes the camera, and the projection of the scene to a picture of width x height pixels. */
static bool find_view(cst_render_job *job, int width, int height, cst_view *out, char *message, size_t message_size)
{
    int dim = cst_cache_about(job->cache)->dim;
    double aspect = (double)width / height;
    cst_camera camera = {0};
    if (job->fit_frame)
        return fit_frame(job, dim, aspect, width, height, out, message, message_size);
    bool by_name = !job->camera || strcmp(job->camera, "scene") == 0;
    bool fit = !by_name && cst_camera_is_fit(dim, job->camera, &camera.azimuth, &camera.elevation);
    if (!by_name && !fit) {
        if (!cst_camera_read(dim, job->camera, &camera, message, message_size))
            return false;
    } else if (by_name && scene_camera(job, &camera)) {
        if (aspect < CST_CAMERA_WIDE) {
            if (!survey(job, message, message_size))
                return false;
            camera = cst_camera_widen(dim, camera, &job->survey.bodies, &job->survey.surroundings, aspect);
        }
    } else if (by_name && job->camera) {
        snprintf(message, message_size, "--camera scene: the scene has no camera; leave it out to see the whole run");
        return false;
    } else {
        if (!survey(job, message, message_size))
            return false;
        camera = cst_camera_fit(dim, &job->survey.bodies, &job->survey.surroundings, aspect, camera.azimuth, camera.elevation);
    }
    *out = cst_view_make(dim, &camera, width, height);
    return true;
}

/* --------------------------------------------------------------------------------------------------------------- lettering */

static void add_name(cst_legend *legend, const char *name, cst_rgb colour)
{
    if (legend->names < CST_LEGEND_NAMES) {
        legend->name[legend->names] = name;
        legend->colour[legend->names++] = colour;
    }
}

/* `side`: length of the picture's smaller side in points. */
static cst_legend legend_of(const cst_render_job *job, double side)
{
    cst_legend legend = {.scale = cst_colour_scale_of(job->style.colour_by, &job->survey)};
    int bodies = cst_cache_about(job->cache)->bodies;
    if (job->style.colour_by == CST_BY_BODY && bodies > 1 && bodies <= CST_BODY_COLOURS)
        for (int i = 1; i <= bodies; i++)
            if (*cst_cache_body_name(job->cache, (uint32_t)i))
                add_name(&legend, cst_cache_body_name(job->cache, (uint32_t)i), cst_body_colour((uint32_t)i));
    if (job->style.colour_by == CST_BY_STICK)
        add_name(&legend, "no contact", cst_theme_of(job->style.dark)->plain);
    if (job->style.colour_by == CST_BY_STICK || job->style.contacts) {
        add_name(&legend, "contact sticks", cst_case_colour(CST_CASE_STICK));
        add_name(&legend, "contact slides", cst_case_colour(CST_CASE_SLIDE));
    }
    double longest = cst_contact_marks_newtons(&job->survey, 0.13);
    if (job->style.contacts && longest > 0.0) {
        legend.newtons = cst_round_length(longest);
        legend.arrow = 0.13 * side * legend.newtons / longest;
    }
    return legend;
}

static double metres_per_point(const cst_view *view, double density)
{
    return density * cst_view_metres(view, view->centre);
}

static bool letter_picture(cst_render_job *job, const cst_view *view, double time, uint32_t *pixel, char *message,
                           size_t message_size)
{
    double density = job->style.density, wide = job->width / density, high = job->height / density;
    cst_canvas *canvas = cst_canvas_pixels(pixel, job->width, job->height, density, message, message_size);
    if (!canvas)
        return false;
    const cst_cache_info *info = cst_cache_about(job->cache);
    const cst_theme *theme = cst_theme_of(job->style.dark);
    const cst_legend legend = legend_of(job, fmin(wide, high));
    char text[64];
    cst_time_text(time, info->frame_interval, text, sizeof text);
    cst_letter_title(canvas, 0, 0, info->title, text, theme);
    cst_letter_scale_bar(canvas, 0, high, metres_per_point(view, density), theme);
    cst_letter_legend(canvas, wide, 0, &legend, theme);
    return cst_canvas_end(canvas, message, message_size);
}

/* ---------------------------------------------------------------------------------------------------------------- pictures */

static bool no_memory(char *message, size_t message_size)
{
    snprintf(message, message_size, "not enough memory");
    return false;
}

static bool draw_at(cst_render_job *job, double time, const cst_view *view, uint32_t *pixel, size_t stride, double *shown,
                    char *message, size_t message_size)
{
    cst_moment moment;
    if (!cst_run_reader_at(job->reader, time, &moment, message, message_size))
        return false;
    *shown = moment.time;
    return cst_picture_draw(job->picture, &moment, &job->survey, &job->style, view, pixel, stride) ||
           no_memory(message, message_size);
}

/* If cairo or a font is missing, the picture has no text. Prints the reason once. */
static void do_without_lettering(cst_render_job *job, const char *why)
{
    fprintf(stderr, "capstan render: nothing is written on the pictures: %s\n", why);
    job->lettering = false;
}

static bool draw_picture(cst_render_job *job, double time, const cst_view *view, uint32_t *pixel, char *message,
                         size_t message_size)
{
    double shown;
    char why[256];
    if (!draw_at(job, time, view, pixel, (size_t)job->width, &shown, message, message_size))
        return false;
    if (job->lettering && !letter_picture(job, view, shown, pixel, why, sizeof why))
        do_without_lettering(job, why);
    return true;
}

static bool write_png(const uint32_t *pixel, int width, int height, const char *path, char *message, size_t message_size)
{
    cst_file_write file;
    if (!cst_file_write_begin(&file, path, message, message_size))
        return false;
    if (cst_png_write(file.to, pixel, width, height))
        return cst_file_write_commit(&file, message, message_size);
    cst_file_write_abandon(&file);
    return no_memory(message, message_size);
}

static uint32_t *new_pixels(int width, int height)
{
    return malloc((size_t)width * (size_t)height * sizeof(uint32_t));
}

bool cst_render_picture(cst_render_job *job, double time, const char *path, char *message, size_t message_size)
{
    job->style.density = cst_picture_density(job->width, job->height);
    job->fit_time = time;
    uint32_t *pixel = new_pixels(job->width, job->height);
    cst_view view;
    bool good = pixel || no_memory(message, message_size);
    good = good && find_view(job, job->width, job->height, &view, message, message_size) &&
           draw_picture(job, time, &view, pixel, message, message_size) &&
           write_png(pixel, job->width, job->height, path, message, message_size);
    free(pixel);
    return good;
}

/* ------------------------------------------------------------------------------------------------------------------- sheet */

/* The layout of the pictures on a contact sheet, in pixels. */
typedef struct sheet {
    int width, height, columns, rows, cell_width, cell_height, head, gap, caption;
    double density; /* of lettering */
} sheet;

static sheet lay_out(const cst_render_job *job, int instants)
{
    sheet s = {.columns = (int)ceil(sqrt(instants)), .width = job->width ? job->width : SHEET_WIDTH};
    s.rows = (instants + s.columns - 1) / s.columns;
    s.density = fmax(0.6, s.width / 1500.0);
    s.head = (int)lround(SHEET_HEAD * s.density);
    s.gap = (int)lround(SHEET_GAP * s.density);
    s.caption = (int)lround(SHEET_CAPTION * s.density);
    s.cell_width = (s.width - (s.columns + 1) * s.gap) / s.columns;
    if (job->height)
        s.cell_height = (job->height - s.head) / s.rows - s.gap - s.caption;
    else
        s.cell_height = s.cell_width * 9 / 16;
    s.height = job->height ? job->height : s.head + s.rows * (s.caption + s.cell_height + s.gap);
    return s;
}

/* Computes the upper left corner of picture i in a file that shows several pictures. */
static void cell_of(const sheet *s, int i, int *left, int *top)
{
    *left = s->gap + i % s->columns * (s->cell_width + s->gap);
    *top = s->head + s->caption + i / s->columns * (s->caption + s->cell_height + s->gap);
}

static void letter_sheet(cst_render_job *job, const sheet *s, const cst_view *view, const double *time, int instants,
                         uint32_t *pixel)
{
    char why[256], text[64];
    const cst_cache_info *info = cst_cache_about(job->cache);
    const cst_theme *theme = cst_theme_of(job->style.dark);
    cst_canvas *canvas = cst_canvas_pixels(pixel, s->width, s->height, s->density, why, sizeof why);
    if (!canvas) {
        do_without_lettering(job, why);
        return;
    }
    double d = s->density, gap = s->gap / d, cell_wide = s->cell_width / d, cell_high = s->cell_height / d;
    cst_legend legend = legend_of(job, fmin(cell_wide, cell_high));
    legend.metres_per_point = metres_per_point(view, d);
    const cst_text_style title = {.size = 17, .bold = true, .colour = cst_rgb_packed(theme->ink)};
    const cst_text_style caption = {.size = 13, .colour = cst_rgb_packed(theme->ink)};
    cst_canvas_text(canvas, gap, 0.66 * SHEET_HEAD, info->title, &title);
    cst_letter_legend_line(canvas, s->width / d - gap, 0.66 * SHEET_HEAD, &legend, theme);
    const cst_paint frame = {.stroke = cst_rgb_packed(cst_rgb_mix(theme->paper, theme->ink, 0.16f)), .width = 1.0};
    for (int i = 0; i < instants; i++) {
        int x, y;
        cell_of(s, i, &x, &y);
        double left = x / d, top = y / d;
        cst_canvas_rectangle(canvas, left, top, cell_wide, cell_high, &frame);
        cst_time_text(time[i], info->frame_interval, text, sizeof text);
        cst_canvas_text(canvas, left + 1, top - 7, text, &caption);
    }
    if (!cst_canvas_end(canvas, why, sizeof why))
        do_without_lettering(job, why);
}

bool cst_render_sheet(cst_render_job *job, int instants, double from, double to, const char *path, char *message,
                      size_t message_size)
{
    const sheet s = lay_out(job, instants);
    if (s.cell_width < 80 || s.cell_height < 45) {
        snprintf(message, message_size, "%d pictures on a sheet of %d x %d pixels would be too small: give a larger --size",
                 instants, s.width, s.height);
        return false;
    }
    uint32_t *pixel = new_pixels(s.width, s.height);
    double *shown = malloc((size_t)instants * sizeof *shown);
    cst_view view;
    bool good = (pixel && shown) || no_memory(message, message_size);
    good = good && find_view(job, s.cell_width, s.cell_height, &view, message, message_size);
    job->style.density = fmax(0.6, 0.8 * s.density);
    const uint32_t paper = cst_rgb_packed(cst_theme_of(job->style.dark)->paper);
    for (size_t k = 0; good && k < (size_t)s.width * (size_t)s.height; k++)
        pixel[k] = paper;
    for (int i = 0; i < instants && good; i++) {
        double time = instants > 1 ? from + (to - from) * i / (instants - 1) : to;
        int x, y;
        cell_of(&s, i, &x, &y);
        good = draw_at(job, time, &view, pixel + (size_t)y * (size_t)s.width + (size_t)x, (size_t)s.width, &shown[i], message,
                       message_size);
    }
    if (good && job->lettering)
        letter_sheet(job, &s, &view, shown, instants, pixel);
    good = good && write_png(pixel, s.width, s.height, path, message, message_size);
    free(pixel);
    free(shown);
    return good;
}

/* ------------------------------------------------------------------------------------------------------------------- video */

/* "results/fall.mp4" -> "results/fall.frames" */
static char *directory_beside(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    size_t length = dot && (!slash || dot > slash + 1) && dot != path ? (size_t)(dot - path) : strlen(path);
    char *directory = malloc(length + sizeof ".frames");
    if (directory)
        snprintf(directory, length + sizeof ".frames", "%.*s.frames", (int)length, path);
    return directory;
}

static bool write_numbered(const cst_render_job *job, const uint32_t *pixel, const char *directory, int64_t number, char *message,
                           size_t message_size)
{
    char name[32];
    snprintf(name, sizeof name, "%05lld", (long long)number);
    char *path = cst_path_join(directory, name, ".png");
    bool good = path ? write_png(pixel, job->width, job->height, path, message, message_size) : no_memory(message, message_size);
    free(path);
    return good;
}

/* Writes the frames of a video to the pipe, or to a directory if there is no pipe. */
static bool draw_frames(cst_render_job *job, cst_video_pipe *pipe, const cst_view *view, double from, double step,
                        uint32_t *pixel, cst_render_video_report *report, char *message, size_t message_size)
{
    for (int64_t k = 0; k < report->frames; k++) {
        double started = cst_clock_seconds();
        if (!draw_picture(job, from + step * (double)k, view, pixel, message, message_size))
            return false;
        report->seconds += cst_clock_seconds() - started;
        bool taken = pipe ? cst_video_add(pipe, pixel) : write_numbered(job, pixel, report->directory, k, message, message_size);
        if (!taken && pipe)
            snprintf(message, message_size, "ffmpeg gave up");
        if (cst_interrupted()) {
            snprintf(message, message_size, "stopped");
            taken = false;
        }
        if (!taken)
            return false;
        cst_progress_note(&job->progress, "picture %lld of %lld", (long long)k + 1, (long long)report->frames);
    }
    return true;
}

bool cst_render_video(cst_render_job *job, double from, double to, double speed, double fps, const char *path,
                      cst_render_video_report *report, char *message, size_t message_size)
{
    double count = floor((to - from) / speed * fps * (1.0 + 1e-12) + 1e-6) + 1.0;
    *report = (cst_render_video_report){0};
    if (!(count <= FRAMES_MAX)) {
        snprintf(message, message_size,
                 "the video would have %.3g pictures, of which %d are allowed: raise --speed, or lower --fps", count, FRAMES_MAX);
        return false;
    }
    report->frames = (int64_t)count;
    job->style.density = cst_picture_density(job->width, job->height);
    cst_view view;
    cst_video_pipe *pipe = NULL;
    cst_file_write trial; /* tests whether the path is writable, so that an error is reported before the frames are drawn */
    if (!find_view(job, job->width, job->height, &view, message, message_size) ||
        !cst_file_write_begin(&trial, path, message, message_size))
        return false;
    cst_file_write_abandon(&trial);
    uint32_t *pixel = new_pixels(job->width, job->height);
    cst_video_start start =
        pixel ? cst_video_begin(&pipe, path, job->width, job->height, fps, message, message_size) : CST_VIDEO_FAILED;
    bool good = pixel ? start != CST_VIDEO_FAILED : no_memory(message, message_size);
    if (good && !pipe) {
        report->directory = directory_beside(path);
        good =
            report->directory ? cst_directory_make(report->directory, message, message_size) : no_memory(message, message_size);
    }
    bool drawn = good && draw_frames(job, pipe, &view, from, speed / fps, pixel, report, message, message_size);
    if (pipe && drawn)
        drawn = cst_video_end(pipe, message, message_size);
    else if (pipe)
        cst_video_abandon(pipe);
    cst_progress_end(&job->progress);
    free(pixel);
    return drawn;
}

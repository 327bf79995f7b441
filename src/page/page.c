#include "page/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page/page_format.h"
#include "page/page_frames.h"
#include "write/json_write.h"

typedef struct page_run {
    cst_page_frames frames;
    cst_page_table steps;
    cst_page_summary summary;
} page_run;

/* ---------------------------------------------------------------------------------------------------------------- header */

static void put_vector(cst_json_writer *json, const char *key, const double *value)
{
    cst_json_array(json, key);
    for (int axis = 0; axis < 3; axis++)
        cst_json_real(json, NULL, value[axis]);
    cst_json_array_end(json);
}

static void put_box(cst_json_writer *json, const char *key, const cst_bounds *box)
{
    if (!box->any)
        return;
    cst_json_object(json, key);
    put_vector(json, "low", box->low);
    put_vector(json, "high", box->high);
    cst_json_object_end(json);
}

static void put_names(cst_json_writer *json, const char *key, const cst_cache *cache, int count,
                      const char *(*name)(const cst_cache *, uint32_t))
{
    cst_json_array(json, key);
    for (int i = 1; i <= count; i++)
        cst_json_text(json, NULL, name(cache, (uint32_t)i));
    cst_json_array_end(json);
}

static void put_spread(cst_json_writer *json, const char *key, const char *name, const char *unit, const cst_spread *spread)
{
    cst_json_object(json, key);
    cst_json_text(json, "name", name);
    cst_json_text(json, "unit", unit);
    cst_json_real(json, "largest", spread->largest);
    cst_json_real(json, "typical", spread->typical);
    cst_json_real(json, "middle", spread->middle);
    cst_json_boolean(json, "negative", spread->negative);
    cst_json_object_end(json);
}

static void put_table(cst_json_writer *json, const cst_page_table *table)
{
    cst_json_object(json, NULL);
    cst_json_text(json, "name", table->name);
    cst_json_integer(json, "rows", table->rows);
    cst_json_integer(json, "thinned", table->thinned);
    cst_json_array(json, "columns");
    for (int c = 0; c < table->columns; c++) {
        cst_json_object(json, NULL);
        cst_json_text(json, "name", table->column[c].name);
        cst_json_text(json, "unit", table->column[c].unit);
        cst_json_object_end(json);
    }
    cst_json_array_end(json);
    cst_json_object_end(json);
}

static void put_summary(cst_json_writer *json, const page_run *run, const cst_cache_info *info)
{
    cst_json_object(json, "summary");
    cst_json_integer(json, "steps", run->summary.steps);
    cst_json_integer(json, "missed", run->summary.missed);
    cst_json_integer(json, "most_contacts", run->summary.most_contacts);
    cst_json_real(json, "worst_error", run->summary.worst_error);
    cst_json_real(json, "deepest", run->summary.deepest);
    cst_json_integer(json, "frames", info->frames);
    cst_json_object_end(json);
}

static void put_run(cst_json_writer *json, const cst_page_run *source, const page_run *run)
{
    const cst_cache_info *info = cst_cache_about(source->cache);
    static const char *const director[3] = {"director_x", "director_y", "director_z"};
    const cst_page_frames *frames = &run->frames;
    cst_json_object(json, NULL);
    cst_json_text(json, "name", source->name);
    cst_json_text(json, "title", info->title);
    cst_json_text(json, "version", info->version);
    cst_json_integer(json, "dim", info->dim);
    cst_json_real(json, "dt", info->dt);
    cst_json_real(json, "tolerance", info->tolerance);
    put_names(json, "bodies", source->cache, info->bodies, cst_cache_body_name);
    put_names(json, "obstacles", source->cache, info->obstacles, cst_cache_obstacle_name);
    if (source->camera_given) {
        cst_json_object(json, "camera");
        put_vector(json, "center", source->camera_center);
        cst_json_real(json, "height", source->camera_height);
        if (info->dim == 3 && !isnan(source->camera_azimuth) && !isnan(source->camera_elevation)) {
            cst_json_real(json, "azimuth", source->camera_azimuth);
            cst_json_real(json, "elevation", source->camera_elevation);
        }
        cst_json_object_end(json);
    }
    put_box(json, "box", &frames->bodies);
    put_box(json, "surroundings", &frames->surroundings);
    put_summary(json, run, info);
    cst_json_integer(json, "position_bytes", frames->precision.position_bytes);
    cst_json_integer(json, "contact_bytes", frames->precision.contact_bytes);
    cst_json_array(json, "channels");
    put_spread(json, NULL, "curvature", "1/m", &frames->channel[CST_PAGE_CURVATURE]);
    put_spread(json, NULL, "speed", "m/s", &frames->channel[CST_PAGE_SPEED]);
    if (frames->channels > CST_PAGE_TWIST) {
        put_spread(json, NULL, "twist", "rad/m", &frames->channel[CST_PAGE_TWIST]);
        /* the page shows directors as stripes along the fibers, so the colour scales of these channels are empty */
        for (int axis = 0; axis < 3; axis++)
            put_spread(json, NULL, director[axis], "", &frames->channel[CST_PAGE_DIRECTOR + axis]);
    }
    cst_json_array_end(json);
    put_spread(json, "force", "contact force", "N", &frames->force);
    cst_json_integer(json, "contacts", frames->contacts);
    cst_json_integer(json, "fibers", info->dim == 3 ? frames->fibers : 0);
    cst_json_array(json, "times");
    for (int64_t k = 0; k < frames->count; k++)
        cst_json_real(json, NULL, frames->time[k]);
    cst_json_array_end(json);
    cst_json_array(json, "blocks");
    for (int b = 0; b < frames->blocks; b++) {
        cst_json_object(json, NULL);
        cst_json_integer(json, "frames", frames->block[b].frames);
        cst_json_integer(json, "bytes", (int64_t)frames->block[b].bytes);
        cst_json_object_end(json);
    }
    cst_json_array_end(json);
    cst_json_array(json, "tables");
    put_table(json, &run->steps);
    for (int p = 0; p < source->probes; p++)
        put_table(json, &source->probe[p]);
    cst_json_array_end(json);
    cst_json_object_end(json);
}

/* Writes JSON inside a script element: "<" is written as \u003c, because a name could otherwise end the element. */
static bool put_header(FILE *to, const cst_page_run *source, const page_run *run, int runs)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return false;
    cst_json_writer json = cst_json_begin(memory);
    cst_json_object(&json, NULL);
    cst_json_integer(&json, "format", CST_PAGE_FORMAT_VERSION);
    cst_json_text(&json, "generator", "capstan " CAPSTAN_VERSION);
    cst_json_array(&json, "runs");
    for (int i = 0; i < runs; i++)
        put_run(&json, &source[i], &run[i]);
    cst_json_array_end(&json);
    cst_json_object_end(&json);
    bool ok = fclose(memory) == 0 && fputs("<script type=\"application/json\" id=\"capstan-header\">", to) >= 0;
    for (size_t i = 0, begun = 0; ok && i <= size; i++) {
        if (i < size && text[i] != '<')
            continue;
        ok = fwrite(text + begun, 1, i - begun, to) == i - begun && (i == size || fputs("\\u003c", to) >= 0);
        begun = i + 1;
    }
    free(text);
    return ok && fputs("</script>\n", to) >= 0;
}

/* ------------------------------------------------------------------------------------------------------------------ page */

static bool cannot_write(char *message, size_t message_size)
{
    snprintf(message, message_size, "the page could not be written");
    return false;
}

static bool write_tables(const cst_page_run *source, page_run *run, int number, FILE *to, char *message, size_t message_size)
{
    cst_page_bytes bytes = {0}, scratch = {0};
    bool ok = true;
    for (int t = 0; ok && t <= source->probes; t++) {
        bytes.count = 0;
        cst_page_table_put(t == 0 ? &run->steps : &source->probe[t - 1], &bytes);
        ok = cst_page_element_write(to, number, "table", t, &bytes, &scratch);
    }
    cst_page_bytes_free(&bytes);
    cst_page_bytes_free(&scratch);
    return ok || cannot_write(message, message_size);
}

static bool prepare(const cst_page_run *source, const cst_page_choice *choice, page_run *run, char *message, size_t message_size)
{
    if (!cst_page_frames_choose(source->cache, choice, &run->frames, message, message_size))
        return false;
    if (!cst_page_steps_read(source->cache, &run->steps, &run->summary)) {
        const char *why = cst_cache_message(source->cache);
        snprintf(message, message_size, "%s", why && *why ? why : "not enough memory");
        return false;
    }
    cst_page_table_thin(&run->steps, choice->from, choice->to);
    return true;
}

static bool write_data(FILE *to, const cst_page_run *source, page_run *run, int runs, const cst_page_choice *choice,
                       cst_page_steps_done *steps, char *message, size_t message_size)
{
    for (int i = 0; i < runs; i++) {
        if (!prepare(&source[i], choice, &run[i], message, message_size))
            return false;
        steps->all += run[i].frames.count;
    }
    for (int i = 0; i < runs; i++)
        if (!cst_page_frames_write(source[i].cache, i, &run[i].frames, steps, to, message, message_size) ||
            !write_tables(&source[i], &run[i], i, to, message, message_size))
            return false;
    return put_header(to, source, run, runs) || cannot_write(message, message_size);
}

/* Returns the start of the last "</body>", or `bytes` if there is none. */
static size_t data_place(const char *viewer, size_t bytes)
{
    static const char end[] = "</body>";
    size_t length = sizeof end - 1;
    for (size_t at = bytes >= length ? bytes - length + 1 : 0; at-- > 0;)
        if (memcmp(viewer + at, end, length) == 0)
            return at;
    return bytes;
}

bool cst_page_write(FILE *to, const char *viewer, size_t viewer_bytes, const cst_page_run *source, int runs,
                    const cst_page_choice *choice, cst_page_progress progress, void *progress_user, cst_page_size *size,
                    char *message, size_t message_size)
{
    page_run *run = calloc((size_t)runs, sizeof *run);
    if (!run) {
        snprintf(message, message_size, "not enough memory");
        return false;
    }
    cst_page_steps_done steps = {.progress = progress, .user = progress_user};
    size_t place = data_place(viewer, viewer_bytes);
    bool ok = (fwrite(viewer, 1, place, to) == place || cannot_write(message, message_size)) &&
              write_data(to, source, run, runs, choice, &steps, message, message_size);
    if (ok && (fwrite(viewer + place, 1, viewer_bytes - place, to) != viewer_bytes - place || fflush(to) != 0 || ferror(to)))
        ok = cannot_write(message, message_size);
    *size = (cst_page_size){0};
    for (int i = 0; i < runs; i++) {
        size->frames += run[i].frames.count;
        size->vertices += run[i].frames.vertices;
        size->contacts += run[i].frames.contacts;
        cst_page_frames_free(&run[i].frames);
        cst_page_table_free(&run[i].steps);
    }
    free(run);
    return ok;
}

#include "export/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "export/export_job.h"
#include "export/export_manifest.h"
#include "export/export_place.h"
#include "page/page_frames.h"
#include "write/directory.h"

const char *const cst_export_format_names[CST_EXPORT_FORMATS + 1] = {"usd", "obj", "pc2", "ply", "vtp", "csv", "npz", NULL};

static const cst_export_writer *writer_of(cst_export_format format)
{
    static const cst_export_writer *const writers[CST_EXPORT_FORMATS] = {
        [CST_EXPORT_USD] = &cst_export_writer_usd, [CST_EXPORT_OBJ] = &cst_export_writer_obj,
        [CST_EXPORT_PC2] = &cst_export_writer_pc2, [CST_EXPORT_PLY] = &cst_export_writer_ply,
        [CST_EXPORT_VTP] = &cst_export_writer_vtp, [CST_EXPORT_CSV] = &cst_export_writer_csv,
        [CST_EXPORT_NPZ] = &cst_export_writer_npz,
    };
    return writers[format];
}

cst_export_options cst_export_defaults(void)
{
    return (cst_export_options){.choice = {-1e300, 1e300, 1}, .every_fiber = 1};
}

const char *cst_export_ending(cst_export_format format)
{
    const char *ending = writer_of(format)->ending;
    return ending ? ending : "";
}

/* ------------------------------------------------------------------------------------------------------------------ files */

bool cst_export_no_memory(const cst_export_job *job)
{
    return cst_complain(job->complaint, "not enough memory");
}

static bool not_written(const cst_export_job *job, const char *name)
{
    const int why = errno;
    return cst_complain(job->complaint, "%s%scannot be written: %s", name ? name : "", name ? ": " : "", strerror(why));
}

FILE *cst_export_open(cst_export_job *job, const char *name)
{
    char *path = name ? cst_path_join(job->path, name, "") : NULL;
    FILE *file = name && !path ? NULL : fopen(name ? path : job->path, "ab");
    if (!file)
        not_written(job, name);
    job->start = file && fseeko(file, 0, SEEK_END) == 0 ? (int64_t)ftello(file) : 0;
    free(path);
    return file;
}

bool cst_export_close(cst_export_job *job, FILE *file, const char *name)
{
    const int before = ferror(file) ? errno : 0; /* errno of the failed write */
    errno = 0;
    const bool written = fflush(file) == 0 && !ferror(file);
    const int why = before ? before : errno;
    const off_t end = ftello(file);
    const bool closed = fclose(file) == 0;
    if (!written)
        errno = why ? why : EIO;
    if (written && closed) {
        job->files += job->start <= 0;
        job->bytes += (int64_t)end - job->start;
    }
    return (written && closed) || not_written(job, name);
}

void cst_export_frame_name(const cst_export_job *job, const char *stem, const char *ending, char name[CST_EXPORT_NAME])
{
    snprintf(name, CST_EXPORT_NAME, "%s_%05lld%s", stem, (long long)job->k, ending);
}

/* ----------------------------------------------------------------------------------------------------------------- frames */

static bool read_frame(cst_export_job *job)
{
    if (!cst_cache_frame_read(job->cache, job->index[job->k], &job->frame))
        return cst_complain(job->complaint, "%s", cst_cache_message(job->cache));
    return (job->k > 0 ||
            cst_export_shapes_begin(&job->shapes, job->cache, &job->frame, job->options->every_fiber, job->complaint)) &&
           cst_export_shapes_fill(&job->shapes, &job->frame, job->complaint);
}

static bool write_frames(cst_export_job *job, const cst_export_writer *writer, cst_page_progress progress, void *user)
{
    for (job->k = 0; job->k < job->frames; job->k++) {
        if (!read_frame(job) || (job->k == 0 && writer->begin && !writer->begin(job)) || !writer->frame(job))
            return false;
        if (progress && !progress(user, job->k + 1, job->frames))
            return cst_complain(job->complaint, "stopped; nothing was written");
    }
    return (!writer->end || writer->end(job)) && (writer->ending || cst_export_manifest_write(job));
}

static bool export_to(cst_export_job *job, const char *path, cst_page_progress progress, void *user)
{
    const cst_export_writer *writer = writer_of(job->options->format);
    cst_export_place place;
    char why[400] = "";
    const cst_complaint inner = {why, sizeof why};
    bool ok = cst_export_place_begin(&place, path, !writer->ending, job->options->force, job->complaint);
    if (ok) {
        const cst_complaint *outer = job->complaint;
        job->complaint = &inner;
        job->path = place.aside;
        ok = write_frames(job, writer, progress, user);
        if (writer->release)
            writer->release(job);
        job->complaint = outer;
        if (!ok)
            cst_complain(outer, "%s: %s", path, why);
    }
    ok = ok && cst_export_place_commit(&place, job->complaint);
    cst_export_place_end(&place);
    return ok;
}

bool cst_export_write(cst_cache *cache, const cst_export_options *options, const char *path, cst_page_progress progress,
                      void *progress_user, cst_export_report *report, char *message, size_t message_size)
{
    const cst_complaint complaint = {message, message_size};
    cst_page_frames chosen;
    cst_export_job job = {.cache = cache, .info = cst_cache_about(cache), .options = options, .complaint = &complaint};
    bool ok = cst_page_frames_choose(cache, &options->choice, &chosen, message, message_size);
    if (ok) {
        job.frames = chosen.count;
        job.index = chosen.index;
        job.time = chosen.time;
        ok = export_to(&job, path, progress, progress_user);
    }
    *report = (cst_export_report){.frames = job.frames, .files = job.files, .bytes = job.bytes, .objects = job.shapes.objects};
    cst_export_shapes_free(&job.shapes);
    cst_page_frames_free(&chosen);
    return ok;
}

#include "export/export_manifest.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "export/export_place.h"
#include "files/whole_file.h"
#include "write/directory.h"
#include "write/json_write.h"

/* SIZE_MOST: largest size (bytes) of an export.json that is read; a frame takes about 100 bytes. */
static const int64_t SIZE_MOST = (int64_t)1 << 30;

static void put_frames(cst_json_writer *json, const cst_export_job *job)
{
    cst_json_array(json, "frames");
    for (int64_t k = 0; k < job->frames; k++) {
        cst_json_object(json, NULL);
        cst_json_integer(json, "number", k);
        cst_json_integer(json, "frame", job->index[k]);
        cst_json_real(json, "time", job->time[k]);
        cst_json_object_end(json);
    }
    cst_json_array_end(json);
}

static void put_objects(cst_json_writer *json, const cst_export_shapes *shapes)
{
    cst_json_array(json, "objects");
    for (int i = 0; i < shapes->objects; i++) {
        const cst_export_object *object = &shapes->object[i];
        cst_json_object(json, NULL);
        cst_json_text(json, "name", object->name);
        cst_json_text(json, "owner", object->owner == CST_ITEM_OBSTACLE ? "obstacle" : "body");
        cst_json_integer(json, "id", object->id);
        cst_json_text(json, "kind", object->faces ? "faces" : "curves");
        cst_json_integer(json, "items", object->items);
        cst_json_object_end(json);
    }
    cst_json_array_end(json);
}

static int is_other(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && strcmp(entry->d_name, CST_EXPORT_MANIFEST) != 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Lists the files in the output directory, which contains nothing but the output of this export. */
static bool put_files(cst_json_writer *json, const cst_export_job *job)
{
    struct dirent **entry;
    const int count = scandir(job->path, &entry, is_other, by_name);
    if (count < 0)
        return cst_complain(job->complaint, "%s: %s", job->path, strerror(errno));
    cst_json_array(json, "files"); /* read by read_files */
    for (int i = 0; i < count; i++) {
        cst_json_text(json, NULL, entry[i]->d_name);
        free(entry[i]);
    }
    cst_json_array_end(json);
    free(entry);
    return true;
}

bool cst_export_manifest_write(cst_export_job *job)
{
    FILE *file = cst_export_open(job, CST_EXPORT_MANIFEST);
    if (!file)
        return false;
    cst_json_writer json = cst_json_begin(file);
    cst_json_object(&json, NULL);
    cst_json_text(&json, "format", cst_export_format_names[job->options->format]);
    cst_json_text(&json, "version", CAPSTAN_VERSION);
    cst_json_text(&json, "title", job->info->title);
    cst_json_text(&json, "unit", "m");
    cst_json_text(&json, "up", job->info->dim == 2 ? "y" : "z");
    put_frames(&json, job);
    put_objects(&json, &job->shapes);
    const bool listed = put_files(&json, job);
    cst_json_object_end(&json);
    cst_json_line_end(&json);
    return cst_export_close(job, file, CST_EXPORT_MANIFEST) && listed;
}

/* Returns a pointer to the beginning of the list of files in the text of export.json, or NULL if export.json cannot be read or
 * has no list of files. */
static const char *read_files(const char *directory, cst_arena *arena)
{
    static const char LIST[] = "\"files\": [";
    char *path = cst_path_join(directory, CST_EXPORT_MANIFEST, ""), *text, *files = NULL;
    size_t size;
    cst_fault fault = cst_fault_begin(path, NULL, 0);
    /* the list of files is the last entry of export.json, so it begins at the last place where the text contains LIST */
    if (path && cst_whole_file_read(SIZE_MOST, arena, &text, &size, &fault))
        for (char *at = strstr(text, LIST); at; at = strstr(at + 1, LIST))
            files = at + strlen(LIST);
    free(path);
    return files;
}

/* Returns a pointer into the sorted list of files, just behind the entry `name`, or NULL if the list has no such entry. The names
 * of exported files need no escapes in JSON (export_names.c). */
static const char *after_name(const char *files, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = strchr(files, '"'), *end; at && (end = strchr(at + 1, '"')); at = strchr(end + 1, '"'))
        if ((size_t)(end - at) == length + 1 && memcmp(at + 1, name, length) == 0)
            return end + 1;
    return NULL;
}

static bool is_file(const char *directory, const char *name)
{
    struct stat about;
    char *path = cst_path_join(directory, name, "");
    const bool is = path && lstat(path, &about) == 0 && S_ISREG(about.st_mode);
    free(path);
    return is;
}

bool cst_export_manifest_covers(const char *directory, char *strange, size_t size)
{
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    struct dirent **entry = NULL;
    const char *files = is_file(directory, CST_EXPORT_MANIFEST) ? read_files(directory, &arena) : NULL;
    const int count = files ? scandir(directory, &entry, is_other, by_name) : -1;
    bool covered = count >= 0;
    strange[0] = '\0';
    for (int i = 0; i < count; i++) { /* both lists are sorted */
        files = covered && is_file(directory, entry[i]->d_name) ? after_name(files, entry[i]->d_name) : NULL;
        if (covered && !files)
            snprintf(strange, size, "%s", entry[i]->d_name);
        covered = covered && files;
        free(entry[i]);
    }
    free(entry);
    cst_arena_end(&arena);
    return covered;
}

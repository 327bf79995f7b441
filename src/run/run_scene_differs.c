#include "run/run_scene_differs.h"

#include <string.h>

#include "cache/cache_read.h"

enum { LINE_SHOWN = 120 };

static const char *line_start(const char *text, const char *at)
{
    while (at > text && at[-1] != '\n')
        at--;
    return at;
}

/* Finds the part of a line that the message shows. Moves the pointer *line past the indentation, and returns the number of the
 * remaining characters without a comma at the end, at most LINE_SHOWN. If the line only closes an object or array, *line is set
 * to the text "no more", which the message shows instead of the line. */
static int shown(const char **line)
{
    *line += strspn(*line, " ");
    if (**line == '}' || **line == ']' || **line == '\0')
        *line = "no more";
    size_t length = strcspn(*line, "\n");
    if (length > 0 && (*line)[length - 1] == ',')
        length--;
    return length < LINE_SHOWN ? (int)length : LINE_SHOWN;
}

/* Finds the key of the innermost object or array that contains the line: for a line inside "radius": { ... } the key is
 * "radius". In canonical JSON text each level is indented by two spaces, so the nearest line above with less indentation opens
 * the object or array that contains the line. */
static int enclosing_key(const char *text, const char *line, const char **key)
{
    size_t indent = strspn(line, " ");
    while (line > text) {
        line = line_start(text, line - 1);
        if (strspn(line, " ") >= indent)
            continue;
        indent = strspn(line, " ");
        if (line[indent] != '"')
            continue;
        *key = line + indent + 1;
        return (int)strcspn(*key, "\"");
    }
    *key = "";
    return 0;
}

static void compare(const char *path, const char *before, const char *now, char *message, size_t message_size)
{
    size_t same = 0;
    while (before[same] && before[same] == now[same])
        same++;
    const char *old = line_start(before, before + same), *fresh = line_start(now, now + same), *key;
    const char a = before[same], b = now[same];
    /* if the first two lines that differ do so only by a comma at their end, the real difference is in the next line */
    if ((a == ',' && b == '\n') || (a == '\n' && b == ',')) {
        old = before + same + strcspn(before + same, "\n") + 1;
        fresh = now + same + strcspn(now + same, "\n") + 1;
    }
    int key_length = enclosing_key(now, fresh, &key);
    int old_length = shown(&old), fresh_length = shown(&fresh);
    snprintf(message, message_size, "%s: was begun with another scene: %s%.*s%s it had %.*s, now it has %.*s", path,
             key_length ? "in \"" : "at the top", key_length, key, key_length ? "\"" : "", old_length, old, fresh_length, fresh);
}

/* Finds the file name in a line of the form "CHECKSUM BYTES NAME". */
static int file_name(const char *line, const char **name)
{
    size_t length = strcspn(line, "\n"), at = 0;
    for (int blanks = 0; at < length && blanks < 2; at++)
        blanks += line[at] == ' ';
    *name = line + at;
    return (int)(length - at);
}

/* Writes a message that names the first changed file among the files that the scene uses. */
static void compare_files(const char *path, const char *before, const char *now, char *message, size_t message_size)
{
    size_t same = 0;
    while (before[same] && before[same] == now[same])
        same++;
    const char *line = line_start(now, now + same), *name;
    if (!*line)
        line = line_start(before, before + same);
    int length = file_name(line, &name);
    snprintf(message, message_size, "%s: was begun with another file \"%.*s\": it has been changed since", path, length, name);
}

void cst_run_scene_differs(const cst_run_directory *directory, const cst_scene *scene, const char *files, char *message,
                           size_t message_size)
{
    char why[512];
    cst_cache *cache = cst_cache_open(directory->cache, why, sizeof why);
    const cst_cache_info *info = cache ? cst_cache_about(cache) : NULL;
    if (!cache)
        snprintf(message, message_size, "%s: was begun with another scene (%s)", directory->path, why);
    else if (strcmp(info->scene, cst_scene_text(scene)) != 0)
        compare(directory->path, info->scene, cst_scene_text(scene), message, message_size);
    else if (info->files && strcmp(info->files, files) != 0)
        compare_files(directory->path, info->files, files, message, message_size);
    else
        snprintf(message, message_size,
                 "%s: was begun with another choice of --probe-each-step or --from, or by a version of Capstan that builds other "
                 "bodies from this scene",
                 directory->path);
    cst_cache_close(cache);
}

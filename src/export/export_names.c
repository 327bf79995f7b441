#include "export/export_names.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_taken(const char *name, char *const *taken, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(taken[i], name) == 0)
            return true;
    return false;
}

/* The underscore before a name that begins with a digit is needed because identifiers begin with a letter or an underscore. */
static void spell(const char *wanted, const char *kind, uint32_t id, char *out, size_t room)
{
    bool any = false;
    for (const char *at = wanted; *at; at++)
        any = any || (plain(*at) && *at != '_');
    if (!any) {
        snprintf(out, room, "%s_%u", kind, id);
        return;
    }
    snprintf(out, room, "%s%s", wanted[0] >= '0' && wanted[0] <= '9' ? "_" : "", wanted);
    for (char *at = out; *at; at++)
        if (!plain(*at))
            *at = '_';
}

char *cst_export_name(const char *wanted, const char *kind, uint32_t id, char *const *taken, int count)
{
    const size_t room = strlen(wanted) + strlen(kind) + 48;
    char *name = malloc(room);
    if (!name)
        return NULL;
    spell(wanted, kind, id, name, room);
    const size_t length = strlen(name);
    for (int attempt = 0; is_taken(name, taken, count); attempt++) {
        if (attempt == 0)
            snprintf(name + length, room - length, "_%s_%u", kind, id);
        else
            snprintf(name + length, room - length, "_%s_%u_%d", kind, id, attempt);
    }
    return name;
}

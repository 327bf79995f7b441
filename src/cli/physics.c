/* _SC_PHYS_PAGES is not POSIX. */
#define _DEFAULT_SOURCE

#include "cli/physics.h"

#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Finds the disk of a directory; if the directory does not exist yet, its nearest parent directory that exists is used. */
static bool disk_of(const char *directory, struct statvfs *about)
{
    char *path = strdup(directory);
    bool found = false;
    while (path && *path && !(found = statvfs(path, about) == 0)) {
        char *slash = strrchr(path, '/');
        if (!slash)
            break;
        *slash = '\0';
    }
    free(path);
    return found || statvfs(directory[0] == '/' ? "/" : ".", about) == 0;
}

cst_machine cst_machine_here(const char *directory)
{
    cst_machine machine = {0};
    struct statvfs about;
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    if (pages > 0 && size > 0)
        machine.memory = (double)pages * (double)size;
    if (disk_of(directory, &about))
        machine.disk = (double)about.f_bavail * (double)about.f_frsize;
    return machine;
}

static void print_place(FILE *to, const cst_finding *finding)
{
    fprintf(to, "%s:", finding->file);
    if (finding->line > 0)
        fprintf(to, "%d:%d:", finding->line, finding->column);
    fputc(' ', to);
}

void cst_print_findings(FILE *to, const cst_look *look, const cst_examination *examination)
{
    for (int i = 0; i < examination->findings; i++) {
        const cst_finding *finding = examination->finding + i;
        print_place(to, finding);
        cst_look_print(to, look, CST_TONE_DOUBTFUL, "warning:");
        fprintf(to, " %s\n", finding->text);
    }
}

char **cst_finding_texts(const cst_examination *examination)
{
    const int count = examination->findings;
    char **text = count > 0 ? calloc((size_t)count, sizeof *text) : NULL;
    for (int i = 0; text && i < count; i++) {
        const cst_finding *finding = examination->finding + i;
        size_t bytes;
        FILE *to = open_memstream(&text[i], &bytes);
        if (to) {
            print_place(to, finding);
            fputs(finding->text, to);
        }
        if (!to || fclose(to) != 0) {
            cst_finding_texts_free(text, count);
            return NULL;
        }
    }
    return text;
}

void cst_finding_texts_free(char **text, int count)
{
    for (int i = 0; text && i < count; i++)
        free(text[i]);
    free(text);
}

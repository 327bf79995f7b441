/* for winsize and TIOCGWINSZ */
#define _DEFAULT_SOURCE

#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool speaks_unicode(void)
{
    static const char *const decisive[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(decisive[i]);
        if (!value || !*value)
            continue;
        const char *code = strrchr(value, '.');
        return code && (strcasecmp(code, ".utf-8") == 0 || strcasecmp(code, ".utf8") == 0);
    }
    return false;
}

static int columns(FILE *stream)
{
    const char *said = getenv("COLUMNS");
    int count = said ? (int)strtol(said, NULL, 10) : 0;
    struct winsize size;
    if (count <= 0 && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0)
        count = size.ws_col;
    return count > 0 ? count : 80;
}

cst_look cst_terminal_look(FILE *stream)
{
    const char *term = getenv("TERM");
    if (!isatty(fileno(stream)) || !term || strcmp(term, "dumb") == 0)
        return (cst_look){0};
    const char *no_colour = getenv("NO_COLOR");
    return (cst_look){.colour = !no_colour || !*no_colour, .unicode = speaks_unicode(), .width = columns(stream)};
}

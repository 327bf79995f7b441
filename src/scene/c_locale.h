/* Numbers are read and written with a point, whatever the locale of the program that calls the library.
 *
 * strtod and snprintf follow the locale; POSIX lets a thread have its own. Enter, read or write, leave. */
#ifndef CST_SCENE_C_LOCALE_H
#define CST_SCENE_C_LOCALE_H

#include <locale.h>

typedef struct cst_c_locale {
    locale_t c, before;
} cst_c_locale;

static inline cst_c_locale cst_c_locale_enter(void)
{
    cst_c_locale own = {.c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0)};
    /* "C" is always there; without memory for it the thread stays in its locale. */
    own.before = own.c ? uselocale(own.c) : (locale_t)0;
    return own;
}

static inline void cst_c_locale_leave(cst_c_locale own)
{
    if (!own.c)
        return;
    uselocale(own.before);
    freelocale(own.c);
}

#endif

/* Makes strtod and snprintf use a decimal point, whatever the locale of the calling program is.
 *
 * In POSIX, each thread can have its own locale. Use: enter, read or write, leave. */
#ifndef CST_SCENE_C_LOCALE_H
#define CST_SCENE_C_LOCALE_H

#include <locale.h>

typedef struct cst_c_locale {
    locale_t c, before;
} cst_c_locale;

static inline cst_c_locale cst_c_locale_enter(void)
{
    cst_c_locale own = {.c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0)};
    /* The function newlocale fails only if memory runs out; the thread then keeps its own locale. */
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

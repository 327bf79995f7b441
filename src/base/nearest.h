/* "Did you mean": the valid name closest to a wrong one. */
#ifndef CST_BASE_NEAREST_H
#define CST_BASE_NEAREST_H

/* names[0 .. count), NULL entries skipped. NULL if none is close: within a third of the letters, two at least. */
const char *cst_nearest_name(const char *wrong, const char *const *names, int count);

#endif

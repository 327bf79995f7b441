/* "Did you mean": finds the valid name closest to a wrong one. */
#ifndef CST_BASE_NEAREST_H
#define CST_BASE_NEAREST_H

/* Searches names[0 .. count) and skips NULL entries. Returns NULL if no name is close, that is, within a third of the letters
 * (at least two). */
const char *cst_nearest_name(const char *wrong, const char *const *names, int count);

#endif

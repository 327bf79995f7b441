/* "Did you mean": finds the valid name closest to a wrong one. */
#ifndef CST_BASE_NEAREST_H
#define CST_BASE_NEAREST_H

/* Searches names[0 .. count) and skips NULL entries. Returns NULL if no valid name is close: up to a third of the letters of
 * the wrong name may be wrong, or two letters if that is more. */
const char *cst_nearest_name(const char *wrong, const char *const *names, int count);

#endif

/* "Did you mean": finds the valid name closest to a wrong one. */
#ifndef CST_BASE_NEAREST_H
#define CST_BASE_NEAREST_H

/* Returns the entry of names[0 .. count) that is closest to `wrong`, or NULL if no name is close. NULL entries are skipped. A
 * valid name is close to a wrong name of n letters if at most max(2, n/3) changes of single letters turn the wrong name into
 * the valid name. The number of changes must also be smaller than the number of letters of the valid name. */
const char *cst_nearest_name(const char *wrong, const char *const *names, int count);

#endif

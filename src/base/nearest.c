#include "base/nearest.h"

#include <string.h>

enum { LONGEST = 48 };

/* Returns the optimal string alignment distance of two words: insertions, deletions, substitutions and swaps of neighbours cost
 * one each. */
static int distance(const char *a, const char *b)
{
    int n = (int)strlen(a), m = (int)strlen(b);
    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    int row[3][LONGEST + 1];
    for (int j = 0; j <= m; j++)
        row[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= m; j++) {
            int best = last[j - 1] + (a[i - 1] != b[j - 1]);
            best = last[j] + 1 < best ? last[j] + 1 : best;
            best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[n % 3][m];
}

const char *cst_nearest_name(const char *wrong, const char *const *names, int count)
{
    const char *found = NULL;
    int allowed = (int)strlen(wrong) / 3;
    int best = (allowed > 2 ? allowed : 2) + 1;
    for (int i = 0; i < count; i++) {
        if (!names[i])
            continue;
        int own = distance(wrong, names[i]);
        /* A valid name that begins with the wrong name counts as close to it, whatever its length, if the wrong name has at least
         * three letters. */
        if (strlen(wrong) >= 3 && strncmp(wrong, names[i], strlen(wrong)) == 0)
            own = own < 1 ? own : 1;
        if (own < best && own < (int)strlen(names[i])) {
            best = own;
            found = names[i];
        }
    }
    return found;
}

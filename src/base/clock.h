/* Wall clock, for reports only: nothing that decides may read it. */
#ifndef CST_BASE_CLOCK_H
#define CST_BASE_CLOCK_H

double cst_clock_seconds(void); /* monotonic */

/* Adds the seconds since *last to *phase; *last becomes now. */
void cst_clock_lap(double *last, double *phase);

#endif

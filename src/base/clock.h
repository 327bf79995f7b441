/* Wall clock time, for reports only: no decision of the program may depend on it. */
#ifndef CST_BASE_CLOCK_H
#define CST_BASE_CLOCK_H

double cst_clock_seconds(void); /* monotonic */

/* Adds the seconds since *last to *phase and sets *last to the present time. */
void cst_clock_lap(double *last, double *phase);

#endif

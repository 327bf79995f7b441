#include "cli/progress.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/terminal.h"
#include "write/utf8.h"

#define FIRST_SHOWN 0.25 /* seconds before the progress line is shown; for shorter solves the line would only flicker */
#define SHOWN_EVERY 0.1

/* 1 after Ctrl-C or SIGTERM; a static variable, because the signal handler must set it */
static volatile sig_atomic_t interrupts;
static const char *volatile answer;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupts = 1;
    const char *text = answer;
    const int before = errno;
    if (text && write(STDERR_FILENO, text, strlen(text)) < 0)
        errno = before;
    errno = before;
}

void cst_interrupt_answer(const char *text)
{
    answer = text;
}

void cst_interrupt_install(void)
{
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool cst_interrupted(void)
{
    return interrupts != 0;
}

void cst_progress_begin(cst_progress *progress, double limit, const char *format, ...)
{
    *progress = (cst_progress){.limit = limit, .live = cst_terminal_look(stderr).width > 0};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(progress->label, sizeof progress->label, format, arguments);
    va_end(arguments);
    progress->started = cst_clock_seconds();
    progress->shown = progress->started + FIRST_SHOWN - SHOWN_EVERY;
}

/* Draws one line, truncated to the width of the terminal, because a wrapped line could not be erased. */
static void draw(cst_progress *progress, const char *text)
{
    int width = cst_terminal_look(stderr).width;
    fprintf(stderr, "\r\033[K%.*s", (int)cst_utf8_prefix(text, width > 1 ? width - 1 : 1), text);
    fflush(stderr);
    progress->drawn = true;
}

bool cst_progress_step(void *user, const cst_friction_progress *now)
{
    cst_progress *progress = user;
    if (cst_interrupted())
        return false;
    double time = cst_clock_seconds();
    if (progress->limit > 0 && time - progress->started > progress->limit) {
        progress->timed_out = true;
        return false;
    }
    if (progress->live && time - progress->shown >= SHOWN_EVERY) {
        char text[320];
        snprintf(text, sizeof text, "%s  %s  iteration %d  error %.2e  %.1f s", progress->label, now->phase ? now->phase : "",
                 now->iterations, now->error, time - progress->started);
        draw(progress, text);
        progress->shown = time;
    }
    return true;
}

void cst_progress_note(cst_progress *progress, const char *format, ...)
{
    progress->live = cst_terminal_look(stderr).width > 0;
    if (!progress->live)
        return;
    char text[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    draw(progress, text);
}

void cst_progress_end(cst_progress *progress)
{
    if (progress->drawn) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    progress->drawn = false;
}

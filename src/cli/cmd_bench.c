#include "cli/commands.h"
int cst_command_bench(int c, char **v)
{
    (void)c;
    (void)v;
    return 0;
}

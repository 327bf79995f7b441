int cst_bench_families(int argc, char **argv);
int cst_bench_families(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

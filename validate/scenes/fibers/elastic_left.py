#!/usr/bin/env python3
"""How much of its first elastic energy has a run at its end? validate/scenes/fibers/elastic_left.py RUN.run [--at-least X] [--at-most X]"""
import argparse
import os
import sys

import h5py


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run")
    parser.add_argument("--at-least", type=float, default=0.0)
    parser.add_argument("--at-most", type=float, default=float("inf"))
    asked = parser.parse_args()
    with h5py.File(os.path.join(asked.run, "cache.h5"), "r") as file:
        energy = file["steps"]["energy_elastic"]
        share = energy[-1] / energy[0]
    met = asked.at_least <= share <= asked.at_most
    print(f"elastic energy at the end over that of the first step: {share:.4f} (from {asked.at_least:g} to {asked.at_most:g} is asked)")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())

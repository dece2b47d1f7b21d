#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes random, well-defined C++ programs to differentiate, as one header.

    generate.py --seed 7 --count 25 --level 1          the text
    generate.py --seed 1 --count 1000 --histogram      how many programs have each construct

The same seed gives the same program. Level 1: functions, scalars, control flow, C arrays, pointers, references, calls,
<cmath>. Level 2 adds std::array, vector, span, structs and lambdas."""
import argparse
import collections
import statistics

from functions import Generator
try:
    from classes import ClassGenerator
except ImportError:
    ClassGenerator = Generator


def program(seed, level):
    return (ClassGenerator if level > 1 else Generator)(seed).program()


def histogram(programs):
    counts = collections.Counter(feature for p in programs for feature in p.features)
    lines = [f"constructs in {len(programs)} programs, mean {statistics.mean(p.statements() for p in programs):.1f} statements:"]
    for feature, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        lines.append(f"  {100 * count / len(programs):5.1f} %  {feature}")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--level", type=int, default=2, choices=(1, 2))
    parser.add_argument("--histogram", action="store_true")
    args = parser.parse_args()
    programs = [program(args.seed + i, args.level) for i in range(args.count)]
    print(histogram(programs) if args.histogram else "\n".join(p.text() for p in programs))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes random, well-defined C++ programs to differentiate, as one header.

    generate.py --seed 7 --count 25 --level 1          the text
    generate.py --seed 1 --count 1000 --histogram      how many programs have each construct

The same seed gives the same program. Level 1: functions, scalars, control flow, C arrays, pointers, references, calls,
<cmath>. Level 2 adds std::array, vector, span, classes, lambdas, functors and the like."""
import argparse
import collections
import statistics

from algorithms import THEMES_5
from classes import THEMES_2
from containers import THEMES_4
from functions import THEMES, Generator
from groups import THEMES_3
from order import THEMES_6, OrderGenerator
from program import FIRST, SECOND

# What every program may have without being asked; the other constructs take turns as themes.
EVERYWHERE = ["cmath", "integer to real", "real to integer", "bool to real", "integer conversion", "integer arithmetic", "integer division", "bits and shifts",
              "float constant", "else", "lambda"]
LEAST = 0.1  # of the programs have each construct


def program(seed, level, wanted=None, themes=(), only=()):
    return (OrderGenerator if level > 1 else Generator)(seed, wanted, themes, only).program()


def constructs(level):
    return EVERYWHERE[:-1] + THEMES if level == 1 else EVERYWHERE + THEMES + THEMES_2 + THEMES_3 + THEMES_4 + THEMES_5 + THEMES_6 + FIRST


def themes_named(text):
    """The constructs of a list in an option."""
    names = text.split(",")
    if unknown := set(names) - set(constructs(2)):
        raise argparse.ArgumentTypeError(f"there is no construct {', '.join(sorted(unknown))}; there are {', '.join(constructs(2))}")
    return names


def rare(programs, level):
    """The constructs that too few programs have."""
    wanted = {**dict.fromkeys(constructs(level), LEAST), **dict.fromkeys(SECOND, LEAST / 3)}  # a program has one of the second derivatives at most
    return [c for c, least in wanted.items() if sum(c in p.features for p in programs) < least * len(programs)]


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
    parser.add_argument("--only", type=themes_named, default=[], help="small programs of these constructs, say 'sort,scan'")
    parser.add_argument("--histogram", action="store_true")
    args = parser.parse_args()
    programs = [program(args.seed + i, args.level, only=args.only) for i in range(args.count)]
    print(histogram(programs) if args.histogram else "\n".join(p.text() for p in programs))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Counts anonymous names in printed derivatives: at most LIMIT percent of all variables.

usage: printed_names.py LIMIT PRINTED=SOURCE[,SOURCE...] ...

A variable of a generated function is anonymous unless a word of its name is one that the user gave a variable, a field or a
parameter in one of the sources: `d_vx_2`, `sin_x` and `x_kept` are not, `t`, `product_2` and `holds` are. Names in the
printed helpers do not count.
"""
import collections
import re
import sys

TYPE = r"(?:const\s+)?(?:std::u?int\d+_t|double|float|int|unsigned|bool|Kept<\w+(?:::\w+)*>|\w+_result|Scratch)"
DECLARED = re.compile(rf"\b{TYPE}\s*[*&]?\s*(?:__restrict\s+)?([A-Za-z_]\w*)\s*(?=[=;,)\[:{{])|\bKept<\w+>\s+(\w+)\(")
# How the sources declare: a type, which may be a template or the user's own, then a list of names.
USER_TYPE = r"(?:const\s+)?(?:unsigned\s+)?[A-Za-z_][\w:]*(?:<[^;{}()]*?>)?"
USER = re.compile(rf"(?<![\w.>]){USER_TYPE}(?:\s*[*&]+\s*|\s+)(?:const\s+)?([A-Za-z_]\w*)\s*(?=[=;,)\[:{{])")
NEXT = re.compile(r",\s*\*?([A-Za-z_]\w*)\s*(?==[^=]|[,;\[])")                    # ... and the others of the list
KEYWORDS = set("return typename class struct const using namespace if else for while do auto int double float bool new delete case".split())


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"", "", text, flags=re.S)


def user_names(path):
    text = without_comments(open(path, encoding="utf-8").read())
    return {n for pattern in (USER, NEXT) for n in pattern.findall(text)} - KEYWORDS


def generated_functions(text):
    """The bodies and heads of the functions: what stands outside the helpers."""
    text = without_comments(text)
    text = re.sub(r"^#ifndef (TLALOC_GENERATED_\w+)$.*?^#endif$", "", text, flags=re.S | re.M)
    return [m.group(0) for m in re.finditer(r"^(?:static |inline )+.*?^}", text, flags=re.S | re.M)]


def is_named(name, users):
    words = name.split("_")
    spans = ("_".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, len(words) + 1))
    return any(s in users for s in spans)


def main():
    limit, total, anonymous = float(sys.argv[1]), 0, 0
    for pair in sys.argv[2:]:
        printed, sources = pair.split("=")
        users = set().union(*(user_names(s) for s in sources.split(",")))
        functions = generated_functions(open(printed, encoding="utf-8").read())
        if not functions:
            sys.exit(f"{printed}: holds no generated function")
        names = [a or b for f in functions for a, b in DECLARED.findall(f)]
        bad = collections.Counter(n for n in names if not is_named(n, users))
        total, anonymous = total + len(names), anonymous + sum(bad.values())
        print(f"{printed.split('/')[-1]:40} {len(names):4} names, {sum(bad.values()):3} anonymous: {' '.join(sorted(bad))}")
    share = 100 * anonymous / total
    print(f"{anonymous} of {total} are anonymous: {share:.1f} %, at most {limit:g} % allowed")
    sys.exit(share > limit)


main()

# SPDX-License-Identifier: Apache-2.0
"""The environment of a Clang whose plugin is built with AddressSanitizer."""
import os


def environment(preload, base=None):
    """`base`, or this process's environment; with a runtime to preload, also what Clang needs under it. Clang leaks on
    purpose, as it is about to exit; LLVM's allocators, not instrumented themselves, use what those inlined into the plugin
    have poisoned by hand."""
    env = dict(os.environ if base is None else base)
    if preload:
        env.update(LD_PRELOAD=preload, ASAN_OPTIONS="detect_leaks=0:allow_user_poisoning=0")
    return env

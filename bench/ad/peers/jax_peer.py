# SPDX-License-Identifier: Apache-2.0
"""Gradients of the benchmark problems by JAX, compiled, on one thread: one JSON line per problem.

    jax_peer.py REFERENCE.py NAME...

`ms` is the median CPU time of a gradient, `bytes` what it takes besides arguments and result, `sum` and `norm` are those of
the gradient.
"""
import importlib.util
import json
import os
import statistics
import sys
import time

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

spec = importlib.util.spec_from_file_location("reference", sys.argv[1])
reference = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reference)

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402


def compiled(name):
    """The compiled derivative and its arguments."""
    if name.startswith("ba_"):
        camera, point, weight, feature, pairs = reference.ba_inputs(*((3, 4, 5) if name == "ba_5" else (20, 1000, 10000)))
        one = lambda c, p, w, f: reference.residual(c, p, w, f)[:2]
        jacobian = jax.jit(lambda c, p, w, f: jnp.concatenate(
            [b.reshape(b.shape[0], 2, -1) for b in jax.vmap(jax.jacrev(one, argnums=(0, 1, 2)))(c, p, w, f)], axis=-1))
        args = camera[pairs[:, 0]], point[pairs[:, 1]], weight, feature
        return jacobian.lower(*args).compile(), args
    objective, inputs, _ = reference.SCALAR[name]()
    inputs = [jnp.asarray(x, dtype=float) for x in inputs]
    gradient = jax.jit(jax.grad(objective, tuple(range(len(inputs)))))
    return gradient.lower(*inputs).compile(), inputs


for name in sys.argv[2:]:
    run, args = compiled(name)
    args = [jnp.asarray(a) for a in args]
    flat = np.concatenate([np.ravel(x) for x in jax.tree.leaves(run(*args))])
    batch, samples = 1, []
    while len(samples) < 15:
        begin = time.process_time()
        for _ in range(batch):
            jax.block_until_ready(run(*args))
        ms = 1e3 * (time.process_time() - begin)
        if ms < 2:
            batch *= 2
        else:
            samples.append(ms / batch)
    print(json.dumps({"problem": name, "ms": statistics.median(samples), "bytes": run.memory_analysis().temp_size_in_bytes,
                      "sum": float(flat.sum()), "norm": float(np.linalg.norm(flat)), "magnitude": float(np.abs(flat).sum())}), flush=True)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files that NumPy and the safetensors package write are read by us and written again; the originals read them back.

    against_originals.py CONVERT

Bits are compared, NaN payloads included; where we write what the original writes, the files are compared.
"""
import pathlib
import subprocess
import sys
import tempfile

import ml_dtypes
import numpy as np
import safetensors.numpy

CONVERT = sys.argv[1]
DTYPES = [np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.float16, np.float32, np.float64]
SHAPES = [(), (1,), (7,), (3, 5), (2, 3, 4), (0,), (3, 0, 2), (1, 1, 1, 1, 6)]
rng = np.random.default_rng(20261201)
checked = 0


def make(dtype, shape):
    """Any bits at all: NaNs, infinities and denormals are among them."""
    size = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
    raw = rng.integers(0, 256, size, dtype=np.uint8)
    if dtype == np.bool_:
        raw %= 2
    return np.frombuffer(raw.tobytes(), dtype).reshape(shape)


def same(a, b, what):
    global checked
    checked += 1
    assert a.dtype == b.dtype and a.shape == b.shape, (what, a.dtype, b.dtype, a.shape, b.shape)
    assert a.tobytes() == b.tobytes(), what


def convert(*names):
    done = subprocess.run([CONVERT, *map(str, names)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def refused(code, text, *names):
    global checked
    checked += 1
    done = subprocess.run([CONVERT, *map(str, names)], capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.startswith(code + ": ") and text in done.stderr, (names, done.stderr)


def npy(folder):
    arrays, names = {}, []
    for dtype in DTYPES:
        for shape in SHAPES:
            name = folder / f"{np.dtype(dtype)}-{'x'.join(map(str, shape))}.npy"
            arrays[name] = make(dtype, shape)
            np.save(name, arrays[name])
            names += [name, name.with_suffix(".out.npy")]
    convert(*names)
    for name, array in arrays.items():
        out = name.with_suffix(".out.npy")
        same(np.load(out), array, name)
        assert out.read_bytes() == name.read_bytes(), f"{name} differs from what numpy.save writes"
    # Other orders of memory and of bytes, and later versions of the format.
    others = {"fortran": np.asfortranarray(make(np.float32, (4, 3, 5))), "transposed": make(np.int64, (4, 3)).T,
              "fortran-u1": np.asfortranarray(make(np.uint8, (2, 3))), "big": make(np.float64, (5, 2)).astype(">f8"),
              "big-fortran": np.asfortranarray(make(np.int16, (5, 2)).astype(">i2"))}
    for name, array in others.items():
        np.save(folder / f"{name}.npy", array)
        convert(folder / f"{name}.npy", folder / f"{name}.out.npy")
        same(np.load(folder / f"{name}.out.npy"), np.ascontiguousarray(array.astype(array.dtype.newbyteorder("="))), name)
    for version in [(1, 0), (2, 0), (3, 0)]:
        with open(folder / "version.npy", "wb") as f:
            np.lib.format.write_array(f, others["transposed"], version)
        convert(folder / "version.npy", folder / "version.out.npy")
        same(np.load(folder / "version.out.npy"), np.ascontiguousarray(others["transposed"]), version)
    for name, array in {"complex": np.zeros(3, np.complex64), "text": np.array(["a"]), "record": np.zeros(2, [("a", "f4")]),
                        "bf16": np.zeros(2, ml_dtypes.bfloat16)}.items():
        np.save(folder / f"{name}.npy", array)
        refused("UNSUPPORTED_DTYPE", f"{name}.npy", folder / f"{name}.npy", folder / "x.npy")


def npz(folder):
    arrays = {f"a{i}-{dtype.__name__}": make(dtype, (i, 3)) for i, dtype in enumerate(DTYPES)}
    arrays["long name with ünïcode/and a slash"] = make(np.float32, (2,))
    arrays["large"] = np.tile(np.arange(1000, dtype=np.float64), 500)
    np.savez(folder / "stored.npz", **arrays)
    np.savez_compressed(folder / "deflated.npz", **arrays)
    for source in ["stored", "deflated"]:
        for target in ["plain", "small"]:
            out = folder / f"{source}-{target}.npz"
            convert(folder / f"{source}.npz", out)
            back = np.load(out)
            assert set(back.files) == set(arrays), back.files
            for name, array in arrays.items():
                same(back[name], array, (out, name))
    assert (folder / "stored-small.npz").stat().st_size < 0.2 * (folder / "stored-plain.npz").stat().st_size
    whole = (folder / "deflated.npz").read_bytes()
    damaged = bytearray(whole)
    damaged[len(whole) // 2] ^= 0x55
    (folder / "damaged.npz").write_bytes(damaged)
    refused("MALFORMED_FILE", "damaged", folder / "damaged.npz", folder / "x.npz")
    (folder / "cut.npz").write_bytes(whole[: len(whole) // 2])
    refused("MALFORMED_FILE", "cut.npz", folder / "cut.npz", folder / "x.npz")
    refused("CANNOT_READ", "absent.npz", folder / "absent.npz", folder / "x.npz")


def safetensors_files(folder):
    save, load = safetensors.numpy.save_file, safetensors.numpy.load_file
    dtypes = DTYPES + [ml_dtypes.bfloat16]
    arrays = {f"t{i}.{'x'.join(map(str, shape))}": make(dtype, shape) for i, dtype in enumerate(dtypes) for shape in SHAPES}
    save(arrays, folder / "all.safetensors")
    convert(folder / "all.safetensors", folder / "all.out.safetensors")
    back = load(folder / "all.out.safetensors")
    assert set(back) == set(arrays)
    for name, array in arrays.items():
        same(back[name], array, name)
    original, ours = (folder / "all.safetensors").read_bytes(), (folder / "all.out.safetensors").read_bytes()
    assert original == ours, "differs from what the safetensors package writes"
    some = {"quoted \"name\"\n": make(np.float32, (2, 2)), "ünïcode": make(np.uint8, (3,)), "": make(np.float64, ())}
    save(some, folder / "meta.safetensors", metadata={"format": "np", "note": "two\nlines"})
    convert(folder / "meta.safetensors", folder / "meta.out.safetensors")
    with safetensors.safe_open(folder / "meta.out.safetensors", "np") as f:
        assert f.metadata() == {"format": "np", "note": "two\nlines"}, f.metadata()
        for name in some:
            same(f.get_tensor(name), some[name], name)
    save({}, folder / "none.safetensors")
    convert(folder / "none.safetensors", folder / "none.out.safetensors")
    assert load(folder / "none.out.safetensors") == {}
    save({"x": np.zeros(2, ml_dtypes.float8_e4m3fn)}, folder / "f8.safetensors")
    refused("UNSUPPORTED_DTYPE", "F8_E4M3", folder / "f8.safetensors", folder / "x.safetensors")


with tempfile.TemporaryDirectory() as t:
    for part in (npy, npz, safetensors_files):
        part(pathlib.Path(t))
assert checked > 250, checked
print(f"{checked} comparisons")

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Arrays cross between us and NumPy and JAX by DLPack: same address, same bits, one owner at the end.

    dlpack.py LIBRARY
"""
import ctypes
import gc
import os
import sys

os.environ["JAX_PLATFORMS"] = "cpu"
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

jax.config.update("jax_enable_x64", True)
us = ctypes.CDLL(sys.argv[1])
for name in ("take_versioned", "take_unversioned", "take_odd"):
    getattr(us, name).restype = ctypes.c_char_p
us.take_versioned.argtypes = us.take_unversioned.argtypes = us.give_back.argtypes = us.give_back_unversioned.argtypes = [ctypes.c_void_p]
us.take_odd.argtypes = [ctypes.c_int] * 4 + [ctypes.c_int64, ctypes.c_int]
us.make.argtypes = [ctypes.c_int, ctypes.c_int64, ctypes.c_int64]
us.address.restype = us.give_versioned.restype = us.give_unversioned.restype = ctypes.c_void_p
us.users.restype = ctypes.c_long

api = ctypes.pythonapi
api.PyCapsule_New.restype = ctypes.py_object
DESTRUCTOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
VERSIONED, UNVERSIONED = b"dltensor_versioned", b"dltensor"
USED = {VERSIONED: b"used_dltensor_versioned", UNVERSIONED: b"used_dltensor"}

# In the order of ir::DType; bf16 only where a library has it.
DTYPES = [np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.float16, ml_dtypes.bfloat16,
          np.float32, np.float64]


class Ours:
    """The held array, for from_dlpack."""

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if max_version is not None and max_version[0] >= 1:
            return api.PyCapsule_New(us.give_versioned(), VERSIONED, None)
        return api.PyCapsule_New(us.give_unversioned(), UNVERSIONED, None)


def take(capsule):
    """Hands a capsule over as its protocol says: the consumer renames it."""
    for name, function in ((VERSIONED, us.take_versioned), (UNVERSIONED, us.take_unversioned)):
        if api.PyCapsule_IsValid(ctypes.py_object(capsule), name):
            pointer = api.PyCapsule_GetPointer(capsule, name)
            api.PyCapsule_SetName(capsule, USED[name])
            return function(pointer).decode()
    raise AssertionError("no DLPack capsule")


def expected(dtype, shape):
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = (np.arange(size) % (2 if dtype == np.bool_ else 61)).astype(np.uint8)
    return np.frombuffer(raw.tobytes(), dtype).reshape(shape)


def ours_to_them():
    for i, dtype in enumerate(DTYPES):
        us.make(i, 3, 5)
        alone = us.users()
        want = expected(dtype, (3, 5))
        if dtype is not ml_dtypes.bfloat16:
            a = np.from_dlpack(Ours())
            assert a.dtype == dtype and a.tobytes() == want.tobytes(), dtype
            assert a.ctypes.data == us.address(), "a copy"
            assert not a.flags.writeable, "arrays are not to be written"
            assert us.users() == alone + 1
            del a
            gc.collect()
            assert us.users() == alone, "the deleter was not called"
        j = jax.dlpack.from_dlpack(Ours())
        assert np.asarray(j).tobytes() == want.tobytes() and j.dtype == dtype, dtype
        assert j.unsafe_buffer_pointer() == us.address(), "a copy"
        del j
    # The array outlives our own hold on it.
    us.make(12, 3, 5)
    a = np.from_dlpack(Ours())
    us.drop()
    assert a.tobytes() == expected(np.float64, (3, 5)).tobytes()


def theirs_to_us():
    for dtype in DTYPES:
        want = expected(dtype, (4, 6))
        if dtype is not ml_dtypes.bfloat16:
            for version in (None, (1, 0)):
                a = want.copy()
                before = sys.getrefcount(a)
                said = take(a.__dlpack__(max_version=version))
                assert said.endswith("[4,6]"), said
                assert us.address() == a.ctypes.data, "a copy"
                assert sys.getrefcount(a) == before + 1
                us.drop()
                assert sys.getrefcount(a) == before, "it was not given back"
        j = jnp.asarray(want)
        assert take(j.__dlpack__()).endswith("[4,6]")
        assert us.address() == j.unsafe_buffer_pointer(), "a copy"
    # A part that is row-major is taken where it lies.
    a = np.arange(24.0).reshape(4, 6)
    assert take(a[1:3].__dlpack__()) == "f64[2,6]" and us.address() == a.ctypes.data + 48
    assert take(a[2:3, :].__dlpack__()) == "f64[1,6]"
    assert take(np.full((), 3, np.float32).__dlpack__()) == "f32"
    assert take(np.zeros((0, 3)).T.__dlpack__()) == "f64[3,0]"


def refusals():
    a = np.arange(24.0).reshape(4, 6)
    for part in (a.T, a[:, ::2], a[::-1], a[:, 1:]):
        before = sys.getrefcount(part)
        said = take(part.__dlpack__())
        assert said == "UNSUPPORTED_LAYOUT: a DLPack tensor: is not row-major; way out: make it contiguous first", said
        assert sys.getrefcount(part) == before, "it was not given back"
    assert take(np.zeros(3, np.complex64).__dlpack__()).startswith("UNSUPPORTED_DTYPE")
    cases = [((1, 2, 32, 1, 4, 1), "f32[4]"), ((2, 2, 32, 1, 4, 1), "UNSUPPORTED_LAYOUT: a DLPack tensor: lies on a device of type 2"),
             ((1, 2, 32, 4, 1, 1), "UNSUPPORTED_DTYPE"), ((1, 2, 24, 1, 4, 1), "UNSUPPORTED_DTYPE"), ((1, 9, 32, 1, 4, 1), "UNSUPPORTED_DTYPE"),
             ((1, 2, 32, 1, -4, 1), "UNSUPPORTED_LAYOUT: a DLPack tensor: has an impossible shape"),
             ((1, 2, 32, 1, 4, 2), "UNSUPPORTED_LAYOUT: a DLPack tensor: of version 2")]
    for arguments, begin in cases:
        said = us.take_odd(*arguments).decode()
        assert said.startswith(begin) and "not given back" not in said, (arguments, said)
        us.drop()


ours_to_them()
theirs_to_us()
refusals()

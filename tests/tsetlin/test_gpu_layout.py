"""What the GPU is told of a bank lies where its kernels look for it; needs no GPU."""

import ctypes
import re

from clauseboard.tsetlin import gpu

C_TYPES = {"u64": ctypes.c_uint64, "double": ctypes.c_double, "int": ctypes.c_int}


def test_a_bank_is_laid_out_as_in_the_kernels():
    source = gpu.SOURCE.read_text()
    body = re.search(r"struct Bank \{(.*?)\n\};", source, re.DOTALL)[1]
    fields = re.findall(r"^ +(u64|double|int) (\w+);", body, re.MULTILINE)

    class Bank(ctypes.Structure):
        _fields_ = [(name, C_TYPES[kind]) for kind, name in fields]

    assert list(gpu.BANK.names) == [name for _, name in fields]
    for name, _ in Bank._fields_:
        assert gpu.BANK.fields[name][1] == getattr(Bank, name).offset
    assert gpu.BANK.itemsize == ctypes.sizeof(Bank)

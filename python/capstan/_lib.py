"""The C library, and how its structs and arrays become Python's. Nothing here is public."""
from __future__ import annotations

import dataclasses
from typing import Any, Callable, TypeVar

import numpy as np

from capstan._capstan import ffi, lib
from capstan.errors import CapstanError

__all__ = ["ffi", "lib", "Message", "text", "array_view", "struct_dtype", "to_dataclass", "fill", "real_array", "enum_value", "enum_names"]

T = TypeVar("T")

# A library that was built from other headers than this module would be read at the wrong places.
for _name in ("cst_world_def", "cst_step_report", "cst_contact_view", "cst_run_result", "cst_cache_frame", "cst_friction_report"):
    if lib.cst_struct_size(_name.encode()) != ffi.sizeof(_name):
        raise ImportError(f"capstan: the library has another {_name} than this module: build the package again")


class Message:
    """Room for a message of the library."""

    def __init__(self, size: int = 1024) -> None:
        self.room = ffi.new("char[]", size)
        self.size = size

    def __str__(self) -> str:
        return text(self.room)

    def error(self) -> CapstanError:
        return CapstanError(str(self) or "the library refused without a reason")


def text(pointer: Any) -> str:
    return "" if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def array_view(pointer: Any, shape: tuple[int, ...], dtype: Any, owner: object) -> np.ndarray:
    """The memory of C as an array that cannot be written to and keeps `owner` alive. No copy."""
    dtype = np.dtype(dtype)
    count = int(np.prod(shape, dtype=np.int64))
    if count == 0:
        return np.zeros(shape, dtype)
    # the destructor does nothing: what it holds on to is the owner
    kept = ffi.gc(ffi.cast("char *", pointer), lambda _, owner=owner: None)
    array = np.frombuffer(ffi.buffer(kept, count * dtype.itemsize), dtype).reshape(shape)
    array.flags.writeable = False
    return array


_PRIMITIVE = {"double": "f8", "int": "i4", "int32_t": "i4", "uint32_t": "u4", "int64_t": "i8", "uint64_t": "u8", "_Bool": "?", "uint8_t": "u1"}


def struct_dtype(name: str) -> np.dtype:
    """The layout of a C struct of numbers, as a structured dtype."""
    return _dtype(ffi.typeof(name))


def _dtype(ctype: Any) -> np.dtype:
    if ctype.kind == "primitive":
        return np.dtype(_PRIMITIVE[ctype.cname])
    if ctype.kind == "enum":
        return np.dtype("i4")
    if ctype.kind == "array":
        return np.dtype((_dtype(ctype.item), (ctype.length,)))
    names, formats, offsets = [], [], []
    for field, about in ctype.fields:
        names.append(field)
        formats.append(_dtype(about.type))
        offsets.append(about.offset)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": ffi.sizeof(ctype)})


def to_dataclass(kind: Callable[..., T], struct: Any, **more: Any) -> T:
    """A dataclass from the fields of a struct with the same names; `more` are those that are something else."""
    values: dict[str, Any] = dict(more)
    types = dict(ffi.typeof(struct).fields) if ffi.typeof(struct).kind == "struct" else dict(ffi.typeof(struct).item.fields)
    for field in dataclasses.fields(kind):  # type: ignore[arg-type]
        if field.name in values:
            continue
        value = getattr(struct, field.name)
        about = types[field.name].type
        if about.kind == "struct":
            nested = field.metadata["kind"]
            value = to_dataclass(nested, value)
        elif about.kind == "array" and about.item.cname == "char":
            value = text(value)
        values[field.name] = value
    return kind(**values)


def real_array(value: Any, what: str, shape: tuple[int | None, ...]) -> np.ndarray:
    """Finite or not: the library judges the values. Here only that C reads no further than there is. None: any length."""
    try:
        array = np.ascontiguousarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise CapstanError(f"{what}: expected numbers: {error}") from None
    if array.ndim != len(shape) or any(wanted is not None and wanted != had for wanted, had in zip(shape, array.shape)):
        wanted = " x ".join("n" if length is None else str(length) for length in shape)
        raise CapstanError(f"{what}: expected an array of {wanted} numbers, not {' x '.join(map(str, array.shape)) or 'one number'}")
    return array


def enum_names(ctype: str, prefix: str) -> dict[str, int]:
    """{"super_helix": 0, ...}: the constants of an enumeration, without their prefix."""
    return {name[len(prefix):].lower(): number for number, name in ffi.typeof(ctype).elements.items() if name.startswith(prefix)}


def enum_value(value: Any, ctype: str, prefix: str, what: str) -> int:
    names = enum_names(ctype, prefix)
    key = str(value).replace("-", "_").lower()
    if key not in names:
        raise CapstanError(f"{what}: {value!r} is not known: expected one of {', '.join(names)}")
    return names[key]


_ENUMS = {"cst_rod_formulation": "CST_ROD_", "cst_rod_contour": "CST_ROD_", "cst_fiber_model": "CST_FIBER_", "cst_fiber_formulation": "CST_FIBER_",
          "cst_rigid_shape": "CST_RIGID_", "cst_obstacle_shape": "CST_OBSTACLE_", "cst_constraint_kind": "CST_CONSTRAINT_", "cst_solver": "CST_SOLVER_",
          "cst_local_solver": "CST_LOCAL_", "cst_form": "CST_FORM_"}


def fill(struct: Any, values: dict[str, Any], what: str, keep: list[Any]) -> None:
    """Fields of a struct from values that were given; None: the default stays. Arrays behind pointers are set by the caller, who knows their
    lengths. keep: what must live as long as the struct is used."""
    fields = dict(ffi.typeof(struct).fields) if ffi.typeof(struct).kind == "struct" else dict(ffi.typeof(struct).item.fields)
    for name, value in values.items():
        if value is None:
            continue
        setattr(struct, name, _convert(fields[name].type, value, f"{what}: {name}", keep))


def _convert(ctype: Any, value: Any, what: str, keep: list[Any]) -> Any:
    if ctype.kind == "enum":
        name = ctype.cname.split()[-1]
        return enum_value(value, name, _ENUMS[name], what)
    if ctype.kind == "array":
        array = real_array(value, what, (None,) if np.ndim(value) == 1 else (None, None)).ravel()
        if ctype.length == 3 and len(array) == 2:  # in the plane
            array = np.append(array, 0.0)
        if len(array) != ctype.length:
            raise CapstanError(f"{what}: expected {ctype.length} numbers, not {len(array)}")
        return array.tolist()
    if ctype.cname == "char const *" or ctype.cname == "const char *" or (ctype.kind == "pointer" and ctype.item.cname == "char"):
        if not isinstance(value, str):
            raise CapstanError(f"{what}: expected a text, not {value!r}")
        if "\0" in value:
            raise CapstanError(f"{what}: a text cannot hold a zero byte")
        keep.append(ffi.new("char[]", value.encode()))
        return keep[-1]
    try:
        if ctype.cname == "_Bool":
            if not isinstance(value, (bool, np.bool_)):
                raise TypeError(f"expected True or False, not {value!r}")
            return bool(value)
        if ctype.cname == "double":
            return float(value)
        number = int(value)
        if number != value:
            raise ValueError(f"{value!r} is not whole")
        ffi.new("int *", number)  # raises if it does not fit
        return number
    except (TypeError, ValueError, OverflowError) as error:
        raise CapstanError(f"{what}: {error}") from None

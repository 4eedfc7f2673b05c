"""Read data files into typed records; errors name file, entry and field."""

import errno
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Annotated, Any, BinaryIO, Protocol, TypeVar

import msgspec
from msgspec import Meta
from msgspec.inspect import EnumType, LiteralType, Metadata, StructType, type_info

from entities.wording import did_you_mean

DATA = Path(__file__).resolve().parent.parent / "data"
MOST_BYTES, MOST_LISTED = 8_000_000, 12
"""The most bytes of a text file, and the most names that a message about another lists."""

PLAIN_TYPES = {"int": "a whole number", "float": "a number", "str": "text", "bool": "true or false"}
PLAIN_TYPES |= {"array": "a list", "object": "a table", "null": "nothing", "bytes": "bytes"}
PLAIN_TYPES["int | str"] = "a whole number or text"
"""Types in plain words, by their names in messages of msgspec."""

Record = TypeVar("Record")


class DataError(Exception):
    """A data file is invalid; ``args`` are sentences, each names file, entry and field."""

    def __str__(self) -> str:
        return "; ".join(self.args)


def shown_path(name: str, folder: Path | None = None) -> str:
    """Return the path of a data file for messages; those of the project begin with ``data/``."""
    return str(folder / name) if folder and folder != DATA else f"data/{name}"


def open_regular_file(path: Path) -> BinaryIO:
    """Open a file to read its bytes; raise `OSError`, for a pipe or device as well.

    Opening a named pipe waits for a writer, perhaps forever, and a device may have no end.
    """
    mode = path.stat().st_mode
    if not (S_ISREG(mode) or S_ISDIR(mode)):  # For folders the system has a message.
        raise OSError(errno.EINVAL, "a pipe or device, not a file", str(path))
    return path.open("rb")


def read_text(path: Path, where: str, *, optional: bool = False) -> str:
    """Return the text of a file, "" if it is ``optional`` and missing; raise `DataError`."""
    try:
        with open_regular_file(path) as stream:
            content = stream.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise DataError(f"{where}: a file has at most {MOST_BYTES // 10**6} MB")
        return content.decode("utf-8-sig")
    except OSError as fault:
        if optional and isinstance(fault, FileNotFoundError):
            return ""
        raise DataError(f"{where}: cannot be read ({fault.strerror})") from None
    except UnicodeDecodeError:
        raise DataError(f"{where}: is not text in UTF-8") from None


def read_toml(name: str, folder: Path | None = None, *, optional: bool = False) -> dict[str, Any]:
    """Return the tables of ``data/NAME``; raise `DataError` if it cannot be read."""
    where = shown_path(name, folder)
    try:
        return tomllib.loads(read_text((folder or DATA) / name, where, optional=optional))
    except (ValueError, RecursionError) as fault:  # Wrong syntax, or nested too deeply.
        raise DataError(f"{where}: not valid TOML: {fault}") from None


def folder_paths(folder: Path) -> list[Path]:
    """Return the paths in ``folder`` by name, [] if it is missing; `DataError` if unreadable."""
    try:
        return sorted(folder.iterdir(), key=lambda path: path.name)
    except FileNotFoundError:
        return []
    except OSError as fault:  # `glob` would silently ignore it.
        raise DataError(f"{folder}: cannot be read ({fault.strerror})") from None


def convert(value: Any, kind: type[Record], where: str) -> Record:
    """Return ``value`` as a ``kind``; raise `DataError` naming ``where`` and the field."""
    try:
        return msgspec.convert(value, kind, strict=True)
    except msgspec.ValidationError as fault:
        message = fault_in_words(fault, getattr(kind, "_fields", ()))
        raise DataError(f"{where}: {_with_hint(message, str(fault), type_info(kind))}") from None


def _with_hint(message: str, fault: str, kind: Any) -> str:
    """Return ``message`` with the values that its field allows, or a name that was meant.

    For a text with a pattern, the extra ``form`` of its type describes the pattern.
    """
    places = re.findall(r"(?<=\.)[^.\[\]`]+|\[|^key`", fault.partition(" - at `")[2])
    given = "".join(re.findall("['`](.*)['`]", message)[:1])
    for found in _types_at(kind, sorted(places, key="key`".__eq__)):
        match found:
            case LiteralType(values) | EnumType(values):
                known = [*map(str, values)]
                return message + (did_you_mean(given, known) or f"; it can be {', '.join(known)}")
            case Metadata(extra={"form": form}):
                return re.sub("text matching regex .*", form, message)
            case StructType(fields=fields) if "unknown field" in message:
                return message + did_you_mean(given, [field.encode_name for field in fields])
    return message


def _types_at(kind: Any, places: Sequence[str]) -> Iterator[Any]:
    """Yield the types that may stand in a ``kind`` at ``places``: a field, ``[`` or ``key```."""
    for one in filter(None, [getattr(kind, "type", None), *getattr(kind, "types", ())]):
        yield from _types_at(one, places)  # The type has bounds, or is one of several.
    inner = {field.encode_name: field.type for field in getattr(kind, "fields", ())}
    element = getattr(kind, "item_type", getattr(kind, "value_type", None))
    inner |= {"[": element, "key`": getattr(kind, "key_type", None)}
    if not places:
        yield kind
    elif inner.get(places[0]):
        yield from _types_at(inner[places[0]], places[1:])


def fault_in_words(fault: Exception, names: Sequence[str] = ()) -> str:
    """Return a message of msgspec with the field in front and types in plain words.

    ``names`` are the fields of a record that is written as a list.
    """
    text, _, path = str(fault).replace("Object contains ", "").partition(" - at `")
    text = text.replace("length >=", "length at least").replace("length <=", "length at most")
    text = re.sub("Object missing required field (.*)", r"the field \1 is missing", text)
    field = path.rstrip("`").replace("key` in `$.", "a key of ").removeprefix("$").lstrip(".")
    if names and (place := re.match(r"\[([0-9]+)\]", field)):
        field = names[int(place[1])] + field[place.end() :]
    for name, words in PLAIN_TYPES.items():
        text = text.replace(f"`{name}`", words).replace(f"`{name} | null`", f"{words} or nothing")
    return f"{field}: {text}" if field else text


def read_table(name: str, kind: type[Record], *, section: str = "") -> Record:
    """Return ``data/NAME``, or one ``section``, as a ``kind``; raise `DataError` if invalid."""
    tables, where = read_toml(name), shown_path(name)
    if section:
        return convert(tables.get(section), kind, f"{where}: [{section}]")
    return convert(tables, kind, where)


def read_entries(name: str, kind: type[Record]) -> dict[str, Record]:
    """Return the entries of ``data/NAME``, in file order; raise `DataError` for invalid ones."""
    return convert_all(read_toml(name), kind, shown_path(name))


def convert_all(tables: Mapping[str, Any], kind: type[Record], where: str) -> dict[str, Record]:
    """Return ``tables`` as records by name; raise one `DataError` that names every fault."""
    records, faults = dict[str, Record](), list[str]()
    for name, table in tables.items():
        try:
            records[name] = convert(table, kind, f"{where}: [{name}]")
        except DataError as fault:
            faults += fault.args
    if faults:
        raise DataError(*faults)
    return records


def check_names(
    where: str, names: Iterable[str | None], known: Collection[str], what: str = ""
) -> None:
    """Raise `DataError` for the first of ``names`` not in ``known``; ``what`` is their sort."""
    for name in names:
        if name is not None and name not in known:
            few = f"; it can be {', '.join(sorted(known))}" * (0 < len(known) <= MOST_LISTED)
            hint = did_you_mean(name, sorted(known)) or few
            raise DataError(f"{where}: there is no {what + ' ' * bool(what)}{name[:60]!r}{hint}")


def event_name(kind: type) -> str:
    """Return the name of a type of event in data files: ``shot_fired`` for ``ShotFired``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower()


def for_variant(table: Mapping[str, Record], event: str, variant: str) -> Record | None:
    """Return the entry of ``event`` for its ``variant``, or for any variant, or None."""
    return table.get(f"{event}.{variant}", table.get(event))


DepthKey = Annotated[str, Meta(pattern=r"^[0-9]{1,6}\Z", extra={"form": "a depth such as 3"})]
Weights = dict[DepthKey, Annotated[int, Meta(ge=0, le=1_000_000)]]
"""Weights by the depth (a TOML key, so text) from which they hold."""


def weight_at(depth: int, weights: Weights) -> int:
    """Return the weight at ``depth``; 0 above the first depth given."""
    reached = [start for start in weights if int(start) <= depth]
    return weights[max(reached, key=int)] if reached else 0


class Weighted(Protocol):
    """A kind of creature, item or trap with a spawn weight."""

    @property
    def spawn_weight(self) -> Weights:
        """The weights by depth."""


def positive_weights(depth: int, kinds: Mapping[str, Weighted]) -> dict[str, int]:
    """Return the spawn weights at ``depth`` by kind, in order; kinds without any are left out."""
    weighed = {name: weight_at(depth, kind.spawn_weight) for name, kind in kinds.items()}
    return {name: weight for name, weight in weighed.items() if weight}

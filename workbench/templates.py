"""Fill in the templates of data/: pages with texts, and records for other programs."""

from functools import cache
from string import Template
from typing import Any

import msgspec

from entities.data_files import DATA, read_table

Fields = dict[str, Any]
"""A record of a file for another program, with JSON values."""


def filled_page(path: str, /, **texts: str) -> str:
    """Return the page ``data/PATH`` with ``texts`` in place of $name."""
    return Template((DATA / path).read_text(encoding="utf-8")).substitute(texts)


def filled_part(path: str, name: str, /, **values: object) -> str:
    """Return the text ``name`` of the table ``data/PATH`` with ``values`` in place of {value}."""
    return _parts(path)[name].format(**values)


@cache
def _parts(path: str) -> dict[str, str]:
    return read_table(path, dict[str, str])


def filled_record(path: str, kind: str, /, **values: Any) -> Fields:
    """Return the record ``kind`` of ``data/PATH`` with ``values`` in place of the strings "$name".

    A value may have any type. Raises `KeyError` for a missing one.
    """
    record: Fields = _filled(_records(path)[kind], values)
    return record


@cache
def _records(path: str) -> dict[str, Fields]:
    return msgspec.json.decode((DATA / path).read_bytes(), type=dict[str, Fields])


def _filled(part: Any, values: Fields) -> Any:
    match part:
        case dict():
            return {key: _filled(inner, values) for key, inner in part.items()}
        case list():
            return [_filled(inner, values) for inner in part]
        case str() if part.startswith("$"):
            return values[part[1:]]
    return part

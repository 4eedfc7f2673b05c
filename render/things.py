"""Things in words and in colour, as far as the hero knows them."""

from collections.abc import Iterable
from dataclasses import replace

from engine.events import What
from engine.things.lore import looks, what
from engine.things.pack import slot_of
from engine.world import World
from entities.item import Item
from entities.items import item_kinds, sort_of, sorts
from render.frame import Color
from render.palette import look_colors, thing_colors


def thing_look(kind: str, seed: int) -> tuple[str, Color]:
    """Return the glyph and the colour of things of ``kind`` in a run that grew from ``seed``."""
    return sort_of(kind).glyph, thing_color(kind, looks(seed).get(kind))


def thing_color(kind: str, look: str | None) -> Color:
    """Return the colour of things of ``kind``: that of the ``look`` they have, if they have one."""
    form, sort = item_kinds()[kind], sort_of(kind)
    return look_colors().get(look or "") or thing_colors()[form.color or sort.color]


def plain_name(thing: What) -> str:
    """Return what one such thing is called, without article: ``ruby potion``, ``sword +1``."""
    form = item_kinds()[thing.kind]
    sort = sorts()[form.sort]
    if thing.look:
        return f"{thing.look} {sort.name}"
    name = f"{sort.name} of {form.name}" if sort.looks else form.name
    if thing.known and thing.bonus:
        name = f"{name} {thing.bonus:+}"
    if thing.known and form.charges[1]:
        name = f"{name} ({thing.charges})"
    return name


def named(thing: What, *, start: bool = False) -> str:
    """Return what ``thing`` is called with its article or number: ``a dagger``, ``3 darts``."""
    name = plain_name(thing)
    if thing.count > 1:
        return f"{thing.count} {plural(name)}"
    article = "an" if name[0] in "aeiou" else "a"
    mass = item_kinds()[thing.kind].name.endswith(("armour", "mail"))
    said = name if mass else f"{article} {name}"
    return said[0].upper() + said[1:] if start else said


def the(thing: What, *, start: bool = False) -> str:
    """Return ``the dagger``, ``The darts``."""
    name = plain_name(thing)
    said = plural(name) if thing.count > 1 else name
    return f"{'The' if start else 'the'} {said}"


def plural(name: str) -> str:
    """Return ``name`` for more than one: ``darts``, ``scrolls of fear``, ``flasks of oil``."""
    head, of, rest = name.partition(" of ")
    return f"{head}{'es' if head.endswith(('s', 'sh', 'ch')) else 's'}{of}{rest}"


def item_name(world: World, item: Item) -> str:
    """Return what ``item`` is called by the hero of ``world``, with article or number."""
    return named(what(world, item))


def bare_name(world: World, item: Item) -> str:
    """Return what ``item`` is called, its number before it if there are several, no article."""
    thing = what(world, item)
    return named(thing) if thing.count > 1 else plain_name(thing)


def gathered(world: World, items: Iterable[Item]) -> list[What]:
    """Return ``items`` as they are known, alike ones as one of as many, in order of their first."""
    found: dict[str, What] = {}
    for item in items:
        thing = what(world, item)
        name = plain_name(thing)
        count = thing.count + (found[name].count if name in found else 0)
        found[name] = replace(found.get(name, thing), count=count)
    return list(found.values())


def one_name(world: World, item: Item) -> str:
    """Return what one of ``item`` is called, with its article."""
    return named(replace(what(world, item), count=1))


def is_worn(world: World, item: Item) -> bool:
    """Whether the hero wears ``item``."""
    return slot_of(world.hero, item) is not None

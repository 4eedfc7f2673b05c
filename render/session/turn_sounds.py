"""The sounds of a turn: those of events, not keys, that the hero sees, suffers or hears."""

from collections.abc import Iterable

from engine.state.events import Event, Moved, Noticed, ShotFired, Struck
from engine.state.game_state import GameState
from entities.creature_kinds import creature_kinds
from entities.data_files import event_name, for_variant
from entities.item_kinds import item_kinds
from entities.terrain import TILE_NAMES
from procgen.blueprint import Point
from procgen.position_hash import hash_fraction
from render.session.turn_animations import VARIANTS
from render.sound.synthesis import sound_table
from render.ui.frame import SoundCue

USUAL = "halls"
"""The ambience of themes without one of their own."""
MAX_SOUNDS = 6
"""The most sounds of a turn."""
HALF_AT = 6
"""The distance in tiles at which a sound is half as loud."""
APART = 0.06
"""Seconds between two sounds of a turn."""
DETUNE = 0.07
"""The share by which the pitch of a sound varies."""


def turn_sounds(events: Iterable[Event], state: GameState) -> list[SoundCue]:
    """Return the sounds of ``events``, each once, in the order of events."""
    cues: dict[str, SoundCue] = {}
    for event in events:
        name = for_variant(sound_table().events, *_entry(event, state))
        gain = _gain(event, state) if name else 0.0
        if name and gain and name not in cues and len(cues) < MAX_SOUNDS:
            chance = hash_fraction(state.turn, len(cues), len(name))
            cues[name] = SoundCue(name, gain, 1 + DETUNE * (2 * chance - 1), APART * len(cues))
    return list(cues.values())


def ambience_of(state: GameState) -> str:
    """Return the ambience of the level of ``state``."""
    return sound_table().themes.get(state.map.theme, USUAL)


def _entry(event: Event, state: GameState) -> tuple[str, str]:
    """Return the name and variant of ``event``; the name is empty if it is silent."""
    name, hero = event_name(type(event)), state.hero.id
    match event:
        case Moved(walker):
            return (name, _ground(state)) if walker.id == hero else ("", "")
        case Noticed(creature):
            return name, "boss" if creature_kinds()[creature.kind].lair else ""
        case Struck(_, target, damage):
            return name, "hero" if damage and target.id == hero else "" if damage else "miss"
        case ShotFired(_, target):
            return name, "hero" if target.id == hero else ""
    who, item = getattr(event, "who", None), getattr(event, "what", None)
    variant = next((getattr(event, field) for field in VARIANTS if hasattr(event, field)), "")
    if item and (effect := item_kinds()[item.kind].effect):
        variant = effect
    if who and who.id == hero and f"{name}.hero" in sound_table().events:
        variant = variant if f"{name}.{variant}" in sound_table().events else "hero"
    return name, variant


def _ground(state: GameState) -> str:
    """Return the entry of [grounds] for the ground under the hero, "" if it has none."""
    tile = TILE_NAMES[int(state.map.tiles[state.hero.y, state.hero.x])]
    return next((name for name, tiles in sound_table().grounds.items() if tile in tiles), "")


def _gain(event: Event, state: GameState) -> float:
    """Return the gain of ``event`` for the hero; 0 if unseen, except for alarms and calls."""
    ref = next((who for name in ("target", "who") if (who := getattr(event, name, None))), None)
    place: Point | None = ref.place if ref else getattr(event, "place", None)
    if place is None or (ref and ref.id == state.hero.id):
        return 1.0
    seen = state.map.contains(*place) and state.map.visible[place.y, place.x]
    if not seen and event_name(type(event)) not in {"alarm_rang", "called_for_help"}:
        return 0.0
    distance = max(abs(place.x - state.hero.x), abs(place.y - state.hero.y))
    return HALF_AT / (HALF_AT + distance)

"""Descriptions of a tile: in a few words for the pointer, in full for the look command."""

from msgspec.structs import replace

from components import AiState
from engine.creatures.status_effects import status_duration
from engine.monsters.combat_forecast import Danger, ExpectedHits, combined_danger, forecast
from engine.pathfinding.threats import enemies_in_view
from engine.state.game_state import GameState
from engine.terrain.memories import memory_left
from engine.terrain.tile_effects import trap_at
from entities.creature_kinds import IMMOBILE, creature_kinds
from entities.entity import Entity
from entities.equipment import defense_of, power_of
from entities.statuses import is_asleep, speed, status_kinds
from entities.terrain import TILE_NAMES, Tile, terrain
from entities.trap_kinds import trap_kinds
from entities.wording import pluralise
from render.map.viewport import is_shown
from render.messages.names import creature_name, item_phrase, pile_name, pronoun, stacked_refs
from render.messages.refusal_messages import tile_name
from render.panels.sidebar import ai_state_of, state_of
from render.session.session import Session
from render.ui.text import Line, paragraphs, wrapped_line
from render.ui.texts import texts

FOOT_WIDTH = 78
"""The cells available in the foot line at 80 columns."""


def short_description(
    session: Session, x: int, y: int, width: int = FOOT_WIDTH, aimed: int | None = None
) -> str:
    """Return what the hero knows of (x, y) in about ``width`` cells; ``aimed`` as in `forecast`."""
    state, game_map = session.run.state, session.run.state.map
    if not game_map.contains(x, y):
        return ""
    if creature := shown_creature(session, x, y):
        return _creature_in_short(state, creature, width, aimed)
    if not (session.view.reveal or game_map.explored[y, x]):
        return "unexplored"
    if session.view.ghost == (x, y):
        return "the ghost of an earlier run"
    ground = tile_name(game_map, x, y)
    if memory_left(game_map) == (x, y):
        return f"{ground} that remembers: walk into it"
    if pile := pile_name(state, x, y):
        return f"{pile}, {ground}"
    remembered = game_map.explored[y, x] and not game_map.visible[y, x]
    return f"{ground}, remembered" if remembered else ground


def shown_creature(session: Session, x: int, y: int) -> Entity | None:
    """Return the creature that is drawn at (x, y), None if there is none."""
    creature = session.run.state.map.entity_at(x, y)
    return creature if creature and is_shown(session.run.state, creature, session.view) else None


def _creature_in_short(state: GameState, creature: Entity, width: int, aimed: int | None) -> str:
    fighter = creature.fighter
    text = f"{creature_name(creature.kind, definite=False)}, {fighter.hp}/{fighter.max_hp} HP"
    if creature is state.hero:
        here = creature.x, creature.y
        return f"{text}, on {pile_name(state, *here) or tile_name(state.map, *here)}"
    fight, words = forecast(state.hero, creature, aimed), pronoun(creature.kind)
    shot = _hits(fight.hero_shot, "shot") if fight.hero_shot else ""
    mine, best, noun = _hits(fight.surprise or fight.dealt), fight.received, "hit"
    if fight.monster_shot and (fight.monster_shot.hits or 10**9) < (best.hits or 10**9):
        best, noun = fight.monster_shot, "shot"
    theirs = _hits(best, noun)
    shots = f" or {shot}" if mine and shot else ""
    if aimed is not None:  # A forecast of melee would be taken for that of the missile.
        mine, shots = shot, ""
    kill = f"{words.subject} dies in {mine}" if mine else f"you can't kill {words.object}"
    yours = theirs if noun == "shot" else best.hits  # "You in 5 shots", but "in 3 hits, you in 5".
    die = f"you in {yours}" if mine else f"{words.subject} kills you in {theirs}"
    if not theirs:
        die = f"{words.subject} can't kill you"
    danger, others, condition = _danger(state, creature)
    full = texts().danger[danger][0] + (f" with {others}" if others else "") + condition
    exchange = f": {kill}{shots}, {die}" if mine or aimed is None else ""
    short = exchange.replace(shots, "")
    # The danger always names the others: otherwise it would read as that of this creature alone.
    whole = f"{state_of(creature)[0]}, {full}"
    for notes in (whole + exchange, full + exchange, full + short, full):
        line = f"{text}, {notes}"
        if len(line) <= width:
            break
    pile = pile_name(state, creature.x, creature.y)
    on = f", on {pile}" if pile else ""
    return line + on * (len(line + on) <= width)


def _danger(state: GameState, creature: Entity) -> tuple[Danger, str, str]:
    """Return how dangerous ``creature`` is, how many others are counted in, and on what condition.

    Every monster in view that hunts the hero or looks for it joins the fight, so it counts, too:
    three that are weak alone can kill together. So do other sleepers if it sleeps. All count as if
    they hunted: the noise of a fight wakes most sleepers, and many notice the hero before it.
    """
    sleeps = is_asleep(creature)
    states = (AiState.HUNTING, AiState.SEARCHING, *[AiState.ASLEEP] * sleeps)
    pack = [foe for foe in enemies_in_view(state) if foe.ai and foe.ai.state in states]
    others = [foe for foe in pack if foe is not creature and "asleep" not in foe.statuses]
    number = pluralise(len(others), "other") if others else ""
    hunters = [_hunting(foe) for foe in (creature, *others)]
    return combined_danger(state.hero, hunters), number, " if awake" if sleeps else ""


def _hunting(creature: Entity) -> Entity:
    """Return ``creature`` as it would be if it hunted the hero, awake."""
    statuses = {name: left for name, left in creature.statuses.items() if name != "asleep"}
    ai = creature.ai and replace(creature.ai, state=AiState.HUNTING)
    return replace(creature, ai=ai, statuses=statuses)


def _hits(exchange: ExpectedHits, noun: str = "hit") -> str:
    """Return a number of hits: ``3 hits``; empty if no number suffices."""
    return "" if exchange.hits is None else pluralise(exchange.hits, noun)


def examine_lines(session: Session, x: int, y: int, width: int) -> list[Line]:
    """Return everything the hero knows about the tile (x, y), in lines of ``width`` cells."""
    state, game_map = session.run.state, session.run.state.map
    creature = shown_creature(session, x, y)
    lines = _creature_lines(state, creature, width) if creature else []
    if not game_map.contains(x, y) or not (session.view.reveal or game_map.explored[y, x]):
        lines.append([("You have not seen this place yet.", "dim")])
        return [part for line in lines for part in wrapped_line(line, max(20, width))]
    if session.view.ghost == (x, y):
        lines.append([("The ghost of an earlier run.", "text")])
    for item in stacked_refs(state, reversed(game_map.shown_items().get((x, y), []))):
        lines.append([(item_phrase(item).capitalize(), "text")])
    name = tile_name(game_map, x, y)
    remembered = game_map.explored[y, x] and not game_map.visible[y, x]
    note = ", as you remember it" if remembered else ""
    lines.append([(f"{name[:1].upper()}{name[1:]}{note}.", "dim")])
    if about := _ground_text(state, x, y):
        lines += [[(line, "dim")] for line in paragraphs(about, width)]
    if memory_left(game_map) == (x, y):
        lines.append([("It remembers how this level was made: walk into it.", "accent")])
    if (x, y) in game_map.fires:
        lines.append([("It is on fire.", "bad")])
    return [part for line in lines for part in wrapped_line(line, max(20, width))]


def _ground_text(state: GameState, x: int, y: int) -> str:
    """Return notes on the tile (x, y): what it does, what it blocks, whether it burns."""
    game_map = state.map
    tile = int(game_map.tiles[y, x])
    kind = terrain().kinds[tile]
    if tile != Tile.TRAP and tile_name(game_map, x, y) != kind.name:
        return ""  # Of stairs, and of what looks like a wall or a statue, the ground is not told.
    note = texts().tiles.get(TILE_NAMES[tile])
    sentences = [note] if note else []
    if tile == Tile.TRAP:
        sentences.append(f"When stepped on, it {trap_kinds()[trap_at(game_map, x, y)].text}.")
    if kind.walkable and not kind.transparent:
        sentences.append("It blocks sight.")
    if kind.burnt:
        sentences.append("It can burn.")
    return " ".join(sentences)


def _creature_lines(state: GameState, creature: Entity, width: int) -> list[Line]:
    """Return name, state, speed, statuses and text of ``creature``, and the combat forecast."""
    fighter, kind = creature.fighter, creature_kinds()[creature.kind]
    name = creature_name(creature.kind, definite=False, start=True)
    label, color = ai_state_of(creature)
    pace = 100 * speed(creature) // speed(state.hero)
    quick = f", {pace}% of your speed" if pace != 100 and kind.behaviour not in IMMOBILE else ""
    lines: list[Line] = [
        [(name, "accent"), (f"  {label}", color)],
        [(f"{fighter.hp} of {fighter.max_hp} hit points{quick}", "text")],
    ]
    for status, left in creature.statuses.items():
        known = status_kinds()[status]
        lines.append([(f"{known.name}, {pluralise(left, 'turn')}", known.color)])
    lines += [[(line, "dim")] for line in paragraphs(kind.text, width) if line]
    if creature is not state.hero:
        lines += [[], *_forecast_lines(state, creature)]
    return [*lines, []]


def _forecast_lines(state: GameState, creature: Entity) -> list[Line]:
    """Return the danger in a word, then damage and number of hits, dealt and received."""
    fight, words = forecast(state.hero, creature), pronoun(creature.kind)
    danger, others, condition = _danger(state, creature)
    word, color = texts().danger[danger]
    together = f" together with {others}" if others else ""
    together += condition or " hunting you" * bool(others)
    subject, its = words.subject.capitalize(), words.possessive.capitalize()
    lines: list[Line] = [[(f"{word[:1].upper()}{word[1:]}{together}.", color)]]
    if fight.surprise:
        first = "Sneak attack" if is_asleep(creature) else "First hit"
        lines.append(_exchange_line(first, fight.surprise))
    traits = creature_kinds()[creature.kind].traits
    touch = traits.on_hit
    weakens = touch and touch.status == "weakened" and "weakened" not in state.hero.statuses
    lines.append(_exchange_line("You deal", fight.dealt, " until weakened" * bool(weakens)))
    if fight.hero_shot:
        lines.append(_exchange_line("Your shots", fight.hero_shot))
    lines.append(_exchange_line(f"{subject} deals", fight.received))
    if fight.received.high and defense_of(state.hero) >= (power_of(creature) + 1) // 2:
        lines.append([("More armour won't help: half of each hit gets through.", "dim")])
    if fight.monster_shot and fight.monster_shot.high:
        lines.append(_exchange_line(f"{its} shots", fight.monster_shot))
    if touch and (turns := status_duration(state.hero, touch.status, touch.turns)):
        brings = f"{status_kinds()[touch.status].name} for {pluralise(turns, 'turn')}"
        often = f", {touch.chance:.0%}" if touch.chance < 1 else ""
        lines.append([(f"{its + ' touch':<13}", "dim"), (brings + often, "text")])
    if traits.pack[1] > 1:
        lines.append([(f"{'Packs':<13}", "dim"), (f"of up to {traits.pack[1]}", "text")])
    if creature_kinds()[creature.kind].lair:
        lines.append([(f"{'Statuses':<13}", "dim"), ("bad ones last half as long", "text")])
    if immune := ", ".join(status_kinds()[name].name for name in traits.immune):
        lines.append([(f"{'Immune to':<13}", "dim"), (immune, "text")])
    if creature.spawned_in_play:
        came = f"none: {words.subject} came after you"
        lines.append([(f"{'Experience':<13}", "dim"), (came, "text")])
    return lines


def _exchange_line(name: str, exchange: ExpectedHits, until: str = "") -> Line:
    """Return a line with the damage, least to most, the chance to do any, and the hits to kill."""
    low, high = exchange.low, exchange.high
    if not high:
        return [(f"{name:<13}", "dim"), ("no damage", "text")]
    damage = f"{low}" if low == high else f"{low}–{high}"
    chance = f", {exchange.chance:.0%} hit" if 0 < exchange.chance < 1 else ""
    often = _hits(exchange) or "never kills"
    return [(f"{name:<13}", "dim"), (f"{damage} damage{until}{chance}, {often}", "text")]

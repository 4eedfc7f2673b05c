"""Short texts on the state of hero and monsters, for the sidebar and the top line."""

from engine.monsters.wandering_monsters import LevelAlert, level_alert, turns_until_next_alert
from engine.state.game_state import GameState
from entities.creature_kinds import creature_kinds
from entities.data_files import for_variant
from entities.entity import Entity
from entities.equipment import defense_of, power_of
from entities.statuses import status_kinds
from render.ui.text import Line
from render.ui.texts import texts


def power_and_defense(state: GameState) -> Line:
    """Return power and defense, equipment included."""
    power, defense = power_of(state.hero), defense_of(state.hero)
    return [("power ", "dim"), (f"{power}", "text"), ("  defense ", "dim"), (f"{defense}", "text")]


def gold_and_keys(state: GameState) -> Line:
    """Return the gold, and the keys of this level if there are any."""
    line: Line = [("gold ", "dim"), (f"{state.gold}", "accent")]
    if state.map.keys:
        line += [("  keys ", "dim"), (f"{state.map.keys}", "accent")]
    return line


def alert_line(state: GameState) -> Line:
    """Return the stage of the anti-stalling clock, empty while the level is quiet."""
    stage, left = level_alert(state), turns_until_next_alert(state)
    if stage is not LevelAlert.QUIET:
        return [(stage.value, "bad")]
    return [(f"hunters in {left}", "warn")] if left is not None and left < 150 else []


def status_lines(state: GameState) -> list[Line]:
    """Return the hero's statuses with the turns left, two to a line."""
    parts: Line = [
        (f"{status_kinds()[name].name} {turns}  ", status_kinds()[name].color)
        for name, turns in state.hero.statuses.items()
    ]
    return [parts[start : start + 2] for start in range(0, len(parts), 2)]


def state_of(creature: Entity) -> tuple[str, str]:
    """Return the AI state of ``creature``, or its first status, and the colour to write it in."""
    worst = next(iter(creature.statuses), None)
    if worst:
        return status_kinds()[worst].name, status_kinds()[worst].color
    if creature.ai is None:
        return "", "dim"
    behaviour = creature_kinds()[creature.kind].behaviour or ""
    return for_variant(texts().ai_states, creature.ai.state, behaviour) or ("", "dim")

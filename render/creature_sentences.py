"""What creatures do that heroes do not, as sentences."""

from engine.events import Called, Event, Fled, Shot
from render.naming import name_of

Sentence = tuple[str, str]


def creature_sentence(event: Event) -> Sentence | None:
    """Return what to say of ``event`` and the interface colour to say it in."""
    match event:
        case Shot(attacker, target, missile, damage):
            hit = f"for {damage}" if damage else "but does no harm"
            said = f"{name_of(attacker.kind, start=True)}'s {missile} hits"
            return f"{said} {name_of(target.kind)} {hit}.", "bad" if damage else "dim"
        case Called(who):
            return f"{name_of(who.kind, start=True)} calls for help!", "warn"
        case Fled(who):
            return f"{name_of(who.kind, start=True)} turns to flee.", "good"
        case _:
            return None

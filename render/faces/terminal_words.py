"""What blessed and rxvt call the keys, in the words that we and xterm use."""

import re

WORDS = {f"KEY_{word.upper()}": word for word in ("up", "down", "left", "right", "home", "end")}
WORDS |= {f"KEY_{word.upper()}": word for word in ("insert", "delete", "escape", "tab", "enter")}
WORDS |= {"KEY_BACKSPACE": "backspace", "KEY_PGUP": "pageup", "KEY_PGDOWN": "pagedown"}
WORDS |= {"KEY_FIND": "home", "KEY_SELECT": "end", "KEY_KP_ENTER": "kp_enter"}
WORDS |= {f"KEY_F{number}": f"f{number}" for number in range(1, 13)}
WORDS |= {f"KEY_KP_{digit}": f"kp_{digit}" for digit in range(10)}
WORDS |= {"KEY_UP_LEFT": "kp_7", "KEY_UP_RIGHT": "kp_9", "KEY_CENTER": "kp_5", "KEY_BEGIN": "kp_5"}
WORDS |= {"KEY_DOWN_LEFT": "kp_1", "KEY_DOWN_RIGHT": "kp_3"}
WORDS |= {"KEY_KP_ADD": "+", "KEY_KP_SUBTRACT": "-", "KEY_KP_MULTIPLY": "*", "KEY_KP_DIVIDE": "/"}
WORDS |= {"KEY_KP_DECIMAL": ".", "KEY_KP_SEPARATOR": ",", "KEY_KP_EQUAL": "="}

SHIFTED = {"KEY_BTAB": "tab", "KEY_SUP": "up", "KEY_SDOWN": "down", "KEY_SLEFT": "left"}
SHIFTED |= {"KEY_SRIGHT": "right", "KEY_SHOME": "home", "KEY_SEND": "end", "KEY_SDC": "delete"}
SHIFTED |= {"KEY_SPREVIOUS": "pageup", "KEY_SNEXT": "pagedown", "KEY_SIC": "insert"}

RXVT = re.compile(r"\x1b(?P<lead>[\[O])(?P<number>\d*)(?P<final>[a-d$^@])")
RXVT_HELD = {"[": 2, "O": 5, "$": 2, "^": 5, "@": 6}
"""What is held, in xterm's numbers, by how rxvt spells a key."""


def as_xterm(token: str) -> str:
    """Return what xterm sends for the key that sends ``token`` from rxvt."""
    match = RXVT.fullmatch(token)
    if not match:
        return token
    number, final = match["number"], match["final"]
    if final.isalpha():
        return f"\x1b[1;{RXVT_HELD[match['lead']]}{final.upper()}"
    return f"\x1b[{number};{RXVT_HELD[final]}~"

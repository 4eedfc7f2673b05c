"""A replay and a jump tell what the run told while it was played."""

from engine.saves.playback import Playback
from engine.saves.run import Run
from engine.state.events import Spotted
from render.replays.playhead import Playhead
from render.session.session import Session
from support.kept_runs import golden_run


def told(session, turn):
    return [message.text for message in session.log.messages if message.turn == turn]


def test_a_replay_tells_no_more_of_creatures_that_were_in_view_a_moment_ago():
    adventure = golden_run("caves-to-the-end")
    live = Session(Run(Playback(adventure).engine))
    known = {}
    for turn, (action, *_) in enumerate(adventure.actions, 1):
        events = live.act(action)
        if len(live.news) < len(events) and any(isinstance(event, Spotted) for event in events):
            known[turn] = told(live, turn)
    assert known
    stepping, jumping = Playhead(adventure), Playhead(adventure)
    while stepping.step():
        if stepping.position in known:
            assert told(stepping.session, stepping.position) == known[stepping.position]
    for turn, texts in sorted(known.items(), reverse=True):
        jumping.go(turn)
        while jumping.goal is not None:
            jumping.work()
        assert told(jumping.session, turn) == texts

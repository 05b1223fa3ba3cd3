"""The end of a hand: revealed tiles, the score that a person enters, and hands that nobody counts."""

from __future__ import annotations

from dataclasses import replace

from rules.cards import lapse_at_count
from rules.elimination import SetCheck, check_set
from rules.events import HandEnded, Infraction, Points
from rules.match import after_hand
from rules.observations import Entry, Hands, Reveal
from rules.points import hand_points, left_by_pair, winner_of
from rules.proofs import any_fits, hand_at, refute, tell_kept_proofs, tell_out_of_turn, well_read
from rules.rotation import next_opener
from rules.seats import PAIRS, Pair, Seat
from rules.state import Closing, HandResult, Jump
from rules.step import Step
from rules.thinking import check_slow_plays
from rules.tiles import ALL_TILES, Tile

FullHands = tuple[tuple[Tile, ...], ...]
"""Tiles by seat S, E, N, W, every seat turned up."""


def on_reveal(step: Step, seen: Reveal) -> None:
    """Tiles turned up: passes, jumps and slow plays are held against them, and a final count ends the hand."""
    hand = step.hand
    if len(hand.line) == 0:
        _ask_for_redeal(step, seen)
        return
    if hand.result is not None and (hand.result.counted or hand.result.end == "void"):
        return
    _keep_audit(step, seen)
    hands = _turned_up(step, seen)
    check = _check_tiles(step, seen, hands)
    step.set_hand(clock=None)
    if not step.hand.seats_doubted:
        step.set_hand(backward=0)
    tell_kept_proofs(step)
    for seat in Seat:
        shown = (tile for tile in hands[seat] or () if tile not in check.doubled)
        looked = step.hand.audited[seat]
        sure = looked is not None and not step.hand.may_have_laid(seat, looked, step.ruleset.sure)
        refute(step, seat, shown, sure=sure)
    for jump in step.hand.jumps:
        if jump.run and not check.doubled:
            _decide_run(step, jump, hands)
    if not check.doubled:
        check_slow_plays(step, hands)
    if seen.final and check.complete and not _set_is_open(step):
        _score(step, _settled_hands(step, hands, check))


def _set_is_open(step: Step) -> bool:
    """Whether a tile of the line was well read as one that lay already, and nobody has settled it: no score before that (FID-BEH-5)."""
    unread = {laid.obs for laid in step.hand.line.laid if laid.tile is None}
    open_still = (one for one in step.state.infractions if one not in step.state.ruled)
    return any(one.code == "TILE_SET_FAULT" and one.at_obs in unread for one in open_still)


def _ask_for_redeal(step: Step, seen: Reveal) -> None:
    """A seat shows its tiles before the opening: many doubles are dealt again only where the organiser allows it (D-10, FID-PUN-9)."""
    least = step.ruleset.redeal_doubles
    for seat, tiles in zip(Seat, seen.hands, strict=True):
        if least is not None and tiles and sum(tile.is_double for tile in tiles) >= least:
            step.advise("REDEAL", seat)


def _keep_audit(step: Step, seen: Reveal) -> None:
    """Add what is turned up to what was before: nobody draws tiles, so an earlier look at a seat holds, less what it has laid since."""
    new = {seat for seat in Seat if seen.hands[seat] is not None}
    s, e, n, w = (seen.hands[seat] if seat in new else _less(step, step.hand.audit[seat]) for seat in Seat)
    looked = [(step.index if step.sure else None) if seat in new else step.hand.audited[seat] for seat in Seat]
    step.set_hand(audit=(s, e, n, w), audited=(looked[0], looked[1], looked[2], looked[3]))


def _less(step: Step, tiles: tuple[Tile, ...] | None) -> tuple[Tile, ...] | None:
    return None if tiles is None else tuple(tile for tile in tiles if tile not in step.hand.line.tiles)


def _turned_up(step: Step, seen: Reveal) -> Hands:
    """The hands turned up so far, and with them the exposed tiles that still lie face up beside the line.

    A seat left out of a final count has no tiles when the others and the line make the set; else it has not shown them yet,
    or not all of them when it turned up some before.
    """
    audit = step.hand.audit
    shown = {tile for tiles in audit if tiles for tile in tiles} | set(step.hand.line.tiles)
    beside = [s for s in step.hand.exposed if s.tile is not None and s.tile not in shown]
    all_there = len(shown) + len({s.tile for s in beside}) == len(ALL_TILES)
    hands = []
    for seat in Seat:
        tiles = () if audit[seat] is None and seen.final and all_there else audit[seat]
        if tiles is not None and seen.hands[seat] is None and not all_there and len(tiles) != step.hand.held(seat):
            tiles = None
        own = dict.fromkeys(s.tile for s in beside if s.seat == seat and s.tile is not None)
        hands.append(None if tiles is None else (*tiles, *own))
    s, e, n, w = hands
    return s, e, n, w


def _check_tiles(step: Step, seen: Reveal, hands: Hands) -> SetCheck:
    """Line and hands must be the 28 tiles, each once, before any score is made."""
    readings = [(laid.tile, laid.confidence) for laid in step.hand.line.laid]
    readings += [(tile, seen.confidence) for tiles in hands for tile in tiles or ()]
    check = check_set(tuple(readings), step.ruleset.conflict)
    short = None not in hands and not check.complete
    if check.surely_doubled or (short and not check.doubled and step.hand.line.known):
        well_read = all(laid.confidence >= step.ruleset.sure for laid in step.hand.line.laid)
        step.charge("TILE_SET_FAULT", None, step.index, sure=check.surely_doubled or well_read)
    elif check.doubled or short:
        step.suspect("READ_CONFLICT", None)
    if check.complete and step.hand.line.known and _dealt_unevenly(step, hands):
        step.suspect("DEAL_FAULT", None)
    return check


def _settled_hands(step: Step, hands: Hands, check: SetCheck) -> FullHands:
    """The hands with a doubtful reading replaced by the missing tile."""
    if not check.doubled and None not in hands:
        return tuple(tiles or () for tiles in hands)
    settled = iter(check.settled[len(step.hand.line) :])
    return tuple(tuple(tile for _, tile in zip(tiles or (), settled, strict=False) if tile is not None) for tiles in hands)


def _dealt_unevenly(step: Step, hands: Hands) -> bool:
    held = [step.hand.held(seat) for seat in Seat]
    return any(left is not None and tiles is not None and left != len(tiles) for left, tiles in zip(held, hands, strict=True))


def _decide_run(step: Step, jump: Jump, hands: Hands) -> None:
    """A second play in a row: premature when nobody else could have played (DUSA-9), else out of turn (DUSA-7, D-24)."""
    held = [None if hands[seat] is None else hand_at(step.hand, seat, jump.obs, hands[seat] or ()) for seat in jump.skipped]
    sure = all(well_read(step, seat, jump.obs) for seat in jump.skipped if hands[seat] is not None)
    if any(tiles is not None and any_fits(tiles, jump.ends) for tiles in held):
        tell_out_of_turn(step, jump, sure=sure)
    elif None not in held:
        if not jump.announced:
            step.charge("PREMATURE_RUN", jump.seat, jump.obs, sure=jump.sure and sure)
        step.set_hand(jumps=tuple(other for other in step.hand.jumps if other != jump))


def _score(step: Step, hands: FullHands) -> None:
    """End the hand with the counted tiles; a final count of a hand that is not over changes nothing (D-31)."""
    closing, result = step.hand.closed, step.hand.result
    if closing is None or closing.by_seat is None:
        closing = _closed_by_count(step, hands) or closing
    if closing is None:
        step.suspect("FALSE_BLOCK", None)
        return
    if closing.end == "void" or (closing.by_seat is None and result is not None and closing.end == "domination"):
        return
    left = left_by_pair(hands)
    winner = winner_of(closing, left)
    total = left[0] + left[1]
    if closing.end == "tranque" and winner is None:
        closing = replace(closing, end="tie")
    end_hand(step, closing, winner, hand_points(step.ruleset, closing, winner, total, left), left)
    if step.hand.entry is not None:
        _check_entry(step, *step.hand.entry)


def _closed_by_count(step: Step, hands: FullHands) -> Closing | None:
    """What the line alone did not tell: an empty hand where seats were not known, a block in a line with a joint that does not match."""
    line, empty = step.hand.line, [seat for seat in Seat if not hands[seat]]
    last = line.last
    if last is None:
        return None
    if len(empty) == 1:
        return Closing(end="domination", by_seat=empty[0], obs=step.index, t=step.seen.t)
    if None not in line.ends and not any_fits((tile for tiles in hands for tile in tiles), line.ends):
        return Closing(end="tranque", by_seat=last.seat, obs=step.index, t=step.seen.t)
    return None


def on_entry(step: Step, seen: Entry) -> None:
    """Points written down by a person: held against the table (FID-PUN-4), and the end of a hand that was not counted."""
    lapse_at_count(step)
    if step.hand.result is None and len(step.hand.line) > 0:
        _end_by_entry(step, seen)
        step.set_hand(entry=(step.index, seen.pair, seen.points))
    _check_entry(step, step.index, seen.pair, seen.points)


def _check_entry(step: Step, at: int, pair: Pair, points: int) -> None:
    """State the difference, not the blame."""
    result = step.state.last_result
    expected = points if result is None else result.points[PAIRS.index(pair)]
    if points != expected:
        step.charge("SCORE_MISMATCH", None, at, difference=abs(expected - points))


def _end_by_entry(step: Step, seen: Entry) -> None:
    """The total is 168 less the line; who won a block is what the person says, and no points for anybody are a tie."""
    hand = step.hand
    closing = hand.closed or Closing(end="domination", by_seat=None, obs=step.index, t=seen.t)
    total = hand.line.unplayed if hand.closed is not None and hand.line.unplayed is not None else seen.points
    winner: Pair | None = winner_of(closing, None) or seen.pair
    if seen.points == 0 and winner_of(closing, None) is None and not closing.scoreless:
        closing, winner = replace(closing, end="tie"), None
    end_hand(step, closing, winner, hand_points(step.ruleset, closing, winner, total, None), None)


def leave_hand(step: Step) -> None:
    """A new hand begins while one lies there: a domination is scored from the line, anything else is void."""
    hand = step.hand
    if hand.result is not None or len(hand.line) == 0:
        return
    if hand.closed is not None and hand.closed.end == "domination":
        score_uncounted(step)
    else:
        void_hand(step)


def score_uncounted(step: Step) -> None:
    """A domination that nobody counted: 168 less the line to the pair of the last tile."""
    closing, unplayed = step.hand.closed, step.hand.line.unplayed
    if closing is None or unplayed is None:
        void_hand(step)
        return
    winner = winner_of(closing, None)
    end_hand(step, closing, winner, hand_points(step.ruleset, closing, winner, unplayed, None), None)


def stop_after_renege(step: Step) -> None:
    """Where the rules want it, a proven false pass stops the hand, and it counts for nobody (D-15)."""
    if not step.ruleset.renege_ends_hand or step.hand.result is not None:
        return
    if any(isinstance(event, Infraction) and event.code == "RENEGE" for event in step.told_now):
        void_hand(step)


def void_hand(step: Step) -> None:
    """The hand counts for nobody."""
    end_hand(step, Closing(end="void", by_seat=None, obs=step.index, t=step.seen.t), None, (0, 0), None)


def end_hand(step: Step, closing: Closing, winner: Pair | None, points: Points, left: Points | None) -> None:
    """Write the result of the hand down, once; a later count adds what was not known."""
    state = step.state
    due = next_opener(state.last_opener, state.lost_openings)[0] if state.last_opener is not None else None
    if closing.end == "tie" and step.ruleset.tie_opener == "same":
        due = step.hand.opener
        step.set_match(repeat_opener=due)
    result = HandResult(
        end=closing.end,
        by_seat=closing.by_seat,
        winner=winner,
        points=points,
        left=left,
        next_starter=due,
        counted=left is not None,
    )
    before = step.hand.result
    step.set_hand(result=result, closed=closing if closing.end == "void" else step.hand.closed or closing)
    step.set_match(last_result=result, dealt=False)
    if before is not None and (before.end, before.winner, before.points) == (result.end, winner, points):
        return
    step.emit(
        HandEnded(
            obs=step.index, end=result.end, by_seat=result.by_seat, winner=winner, points=points, left=left, next_starter=due,
            counted=result.counted,
        )
    )  # fmt: skip
    after_hand(step)


def score_again(step: Step) -> None:
    """The hand had ended, and its last tile counts after all: the same result with the points it is worth now."""
    closing, result = step.hand.closed, step.hand.result
    if closing is None or result is None or result.winner is None:
        return
    total = step.hand.line.unplayed if result.left is None else result.left[0] + result.left[1]
    end_hand(
        step, closing, result.winner, hand_points(step.ruleset, closing, result.winner, total or 0, result.left), result.left
    )

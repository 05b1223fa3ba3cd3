"""English texts: a short title and one sentence for every infraction, advice, doubt and event."""

from types import MappingProxyType

TEXTS = MappingProxyType(
    {
        # Infractions
        "OUT_OF_TURN": (
            "Out of turn",
            "{seat} played {tile} when it was not their turn.",
        ),
        "WRONG_STARTER": (
            "Wrong starter",
            "{seat} opened with {tile}, and the opening was not theirs.",
        ),
        "NON_MATCHING": (
            "Tile that does not match",
            "{seat} laid {tile}, which fits neither end.",
        ),
        "WRONG_END": (
            "Wrong end",
            "{seat} laid {tile} at {end}, and it fitted only the other one.",
        ),
        "RENEGE": (
            "Pass with a playable tile",
            "{seat} passed while holding a tile that fitted.",
        ),
        "RENEGE_OR_OUT_OF_TURN": (
            "Renege or out of turn",
            (
                "{seat}: either the first played out of turn, or the second kept silent with a tile that fitted; the "
                "referee decides."
            ),
        ),
        "RENEGE_UNATTRIBUTED": (
            "Somebody passed with a playable tile",
            "Four passes in a row though the hand is not blocked: somebody holds a tile that fits.",
        ),
        "PREMATURE_RUN": (
            "Ran on without announcing",
            ("{seat} played again without announcing that nobody else could, and without waiting for the three passes."),
        ),
        "TOUCHED": (
            "Touched tile",
            "{seat} touched a tile without playing it.",
        ),
        "TOUCH_BREACH": (
            "Touched one tile, played another",
            "{seat} played {tile} when the touched or exposed tile had to be played.",
        ),
        "EXPOSED": (
            "Exposed tile",
            "{seat} let {tile} be seen.",
        ),
        "OPENING_ORIENTATION": (
            "Opening laid the wrong way",
            "{seat} laid the opening tile {tile} the wrong way round.",
        ),
        "TILE_MOVED": (
            "Tile moved",
            "{seat} moved {tile}, which had been laid.",
        ),
        "FALSE_THINK": (
            "False thinking",
            "{seat} took time to think with nothing to choose from.",
        ),
        "PREMATURE_LIFT": (
            "Tiles lifted too early",
            "{seat} lifted their tiles before it was time.",
        ),
        "RACK_REARRANGED": (
            "Tiles rearranged",
            "{seat} changed the order of the tiles on the rack.",
        ),
        "DEAL_FAULT": (
            "Faulty deal",
            "{seat} has not the number of tiles that seven a player leave.",
        ),
        "TILE_SET_FAULT": (
            "Faulty set of tiles",
            "The tiles seen are not the 28, each once.",
        ),
        "SCORE_MISMATCH": (
            "The count does not add up",
            "What was written down and what was counted differ by {difference} points.",
        ),
        "TALK_OR_GESTURE": (
            "Talk or gesture",
            "{seat} spoke or made a gesture during play.",
        ),
        "CONDUCT": (
            "Conduct",
            "The conduct of {seat} was against the rules.",
        ),
        "INCIDENT": (
            "Incident",
            "The referee opened an incident about {seat}.",
        ),
        # Advice
        "DOUBLE_POSE": (
            "Double not across",
            "{seat} laid the double along the line.",
        ),
        "BEND_DIRECTION": (
            "Bend the other way",
            "{seat} bent the line away from the customary side.",
        ),
        "HANDS_ON_TABLE": (
            "Hands on the table",
            "{seat} held a hand over the table out of turn.",
        ),
        "EXCESSIVE_THINK": (
            "Excessive thinking",
            "{seat} thought for longer than the organisers allow.",
        ),
        "STRIKE_OR_THROW": (
            "Struck or thrown tile",
            "{seat} struck or threw the tile when laying it.",
        ),
        "LEVEL_SCORE": (
            "Level score",
            "The match should have ended and the pairs are level; the referee decides.",
        ),
        "REDEAL": (
            "Many doubles",
            "{seat} holds so many doubles that the hand may be dealt again.",
        ),
        # Doubts
        "READ_CONFLICT": (
            "Readings that disagree",
            "One tile was read in two places.",
        ),
        "CALIBRATION_ALARM": (
            "Check the camera",
            "The plays run against the order of play: the picture is mirrored or the seats are wrong.",
        ),
        "FALSE_BLOCK": (
            "Block that is none",
            "The hand was taken for blocked, and somebody may be able to play.",
        ),
        "turned picture": (
            "Turned picture",
            "The camera's picture may be mirrored or turned: another player sits there.",
        ),
        "silent pass": (
            "Silent pass",
            "The players who were skipped passed without saying so.",
        ),
        "custom": (
            "Custom",
            "It is custom and not a rule.",
        ),
        # Events
        "hand_opened": (
            "Opening",
            "{opener} opens.",
        ),
        "tile_played": (
            "Play",
            "{seat} plays {tile} ({end}); open ends: {ends}.",
        ),
        "turn_passed": (
            "Pass",
            "{seat} passes ({via}).",
        ),
        "tile_withdrawn": (
            "Tile taken back",
            "{seat} takes {tile} back.",
        ),
        "tile_moved": (
            "Tile moved to another end",
            "{seat} moves {tile}; open ends: {ends}.",
        ),
        "tile_exposed": (
            "Tile in sight",
            "{tile} of {seat} is seen off the line.",
        ),
        "hand_closed": (
            "Hand closed",
            "{end} by {by_seat}; {unplayed} points are left unplayed.",
        ),
        "hand_ended": (
            "Hand ended",
            "{end}; won by {winner}; points: {points}.",
        ),
        "score_changed": (
            "Score",
            "Points: {points}; fines: {fines}.",
        ),
        "match_ended": (
            "Match over",
            "{winner} wins ({reason}); result: {score}.",
        ),
        "infraction": (
            "Infraction",
            "{code}: {seat} ({rule}).",
        ),
        "suspicion": (
            "Doubt for the referee",
            "It may be: {code} ({seats}).",
        ),
        "advice": (
            "Advice to the referee",
            "{code}: {seat}.",
        ),
        "reading_doubted": (
            "Tile in doubt",
            "The tile of {seat} is not read well ({end}): {candidates}.",
        ),
        "correction": (
            "Correction",
            "Observation {observation} is corrected.",
        ),
        "ruling": (
            "Ruling",
            "The referee rules: {choice}.",
        ),
        "health": (
            "Health",
            "{fps} pictures a second.",
        ),
        "evidence": (
            "Evidence",
            "There are more pictures of an incident.",
        ),
        "watching": (
            "Watching",
            "The table is seen well.",
        ),
        "not_watching": (
            "Not watching",
            "The table is not being watched.",
        ),
        "camera_moved": (
            "Camera moved",
            "The camera has moved and must be calibrated.",
        ),
        "out_of_focus": (
            "Out of focus",
            "The picture is out of focus.",
        ),
        "too_dark": (
            "Too dark",
            "There is too little light to read the tiles.",
        ),
    }
)

"""English texts: a short title and one sentence for every code that people get to see."""

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
        # Ends of a hand, reasons to end a match
        "domination": (
            "Domination",
            "A player ran out of tiles; the pair scores all unplayed points.",
        ),
        "tranque": (
            "Block",
            "Nobody can play; the pair with fewer points wins and scores them all.",
        ),
        "tie": (
            "Tie",
            "A block with equal points: the hand is void and the next seat opens.",
        ),
        "void": (
            "Void hand",
            "The hand does not count.",
        ),
        "target": (
            "Target reached",
            "A pair reached the points of the match.",
        ),
        "clock": (
            "Time is up",
            "The time of the match ran out.",
        ),
        # Rulings
        "uphold": (
            "Uphold",
            "The infraction is upheld and its fine is booked.",
        ),
        "dismiss": (
            "Dismiss",
            "There was no infraction.",
        ),
        "inconclusive": (
            "Inconclusive",
            "The evidence does not decide it.",
        ),
        "intentional": (
            "Intentional",
            "The false pass was intentional: the pair loses the match.",
        ),
        "renege_intentional": (
            "Intentional false pass",
            "The false pass was intentional: the pair loses the match.",
        ),
        "continue": (
            "Go on",
            "The hand goes on as it is.",
        ),
        "repeat_hand": (
            "Repeat the hand",
            "The hand is played again; the offending pair may not open it.",
        ),
        "go_back": (
            "Go back",
            "Play goes back to where the infraction happened.",
        ),
        "agreement": (
            "Agreement",
            "The players at the table agreed.",
        ),
        "free": (
            "Other ruling",
            "The referee rules in words of their own.",
        ),
        "out_of_turn": (
            "Out of turn",
            "The tile was played out of turn.",
        ),
        "last_hand": (
            "Last hand",
            "The last hand was called.",
        ),
        "time_called": (
            "Time called",
            "The end of the time was called.",
        ),
        "black_card": (
            "Black card",
            "A player was expelled; the rivals win.",
        ),
        "incident": (
            "Open an incident",
            "The referee opens an incident.",
        ),
        # Why a ruling had no effect
        "ruling_refused": (
            "Ruling without effect",
            "The ruling ({choice}) has no effect: {refused}.",
        ),
        "unknown_choice": (
            "unknown choice",
            "There is no such choice.",
        ),
        "no_incident": (
            "no such incident",
            "There is no incident that it could mean.",
        ),
        "no_seat": (
            "no seat given",
            "It was not said which seat is meant.",
        ),
        "already_ruled": (
            "already ruled",
            "The incident has been ruled on.",
        ),
        "already_open": (
            "already open",
            "The incident is open already.",
        ),
        "already_chosen": (
            "already chosen",
            "The choice can no longer be changed.",
        ),
        "lapsed": (
            "lapsed",
            "Who could choose has played: the hand goes on.",
        ),
        "not_the_holder": (
            "not theirs to choose",
            "Only the rival to the offender's right may choose.",
        ),
        "not_in_rule_set": (
            "not in the rule set",
            "This rule set does not know it.",
        ),
        "hand_over": (
            "the hand is over",
            "The hand is over.",
        ),
        # Seats, pairs, arms, ways to pass, causes, rule sets
        "S": (
            "South",
            "South seat, pair A.",
        ),
        "E": (
            "East",
            "East seat, pair B.",
        ),
        "N": (
            "North",
            "North seat, pair A.",
        ),
        "W": (
            "West",
            "West seat, pair B.",
        ),
        "A": (
            "Pair A",
            "South and North.",
        ),
        "B": (
            "Pair B",
            "East and West.",
        ),
        "open": (
            "opening",
            "The tile the line begins with.",
        ),
        "a": (
            "end a",
            "The end on the opener's side.",
        ),
        "b": (
            "end b",
            "The end on the other side.",
        ),
        "voice": (
            "by voice",
            "It was said.",
        ),
        "knock": (
            "by a knock",
            "It was shown by a knock.",
        ),
        "button": (
            "by button",
            "It was shown by the button.",
        ),
        "seen": (
            "seen",
            "The camera alone saw it.",
        ),
        "unsignalled": (
            "without a signal",
            "Nothing was heard or seen.",
        ),
        "touch": (
            "touched",
            "The tile was touched.",
        ),
        "drop": (
            "fallen",
            "The tile fell.",
        ),
        "non_matching": (
            "did not match",
            "The tile did not match.",
        ),
        "withdrawn": (
            "taken back",
            "The tile was taken back from the line.",
        ),
        "dusa": (
            "DUSA",
            "Rules of Dominousa.",
        ),
        "fid": (
            "FID",
            "International laws of the FID.",
        ),
        "unknown": (
            "unknown",
            "It is not known.",
        ),
        "tile": (
            "a tile",
            "A tile that is not known.",
        ),
        "somebody": (
            "somebody",
            "It is not known who.",
        ),
        "nobody": (
            "nobody",
            "None.",
        ),
    }
)

"""English texts: words for how things end, what is ruled and what things are called."""

from types import MappingProxyType

TEXTS = MappingProxyType(
    {
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

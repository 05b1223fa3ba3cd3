"""English texts of what people do: what is observed of them, what they enter, and why that has no effect."""

from types import MappingProxyType

TEXTS = MappingProxyType(
    {
        "place": ("Tile laid", "A tile is laid in the line."),
        "withdraw": ("Tile lifted again", "A tile of the line is lifted off again."),
        "move": ("Tile shifted", "A tile of the line changes its place or turns."),
        "pass": ("A pass", "A player passes."),
        "announce": ("Announcement", "A player says that nobody else can play."),
        "expose": ("Tile face up", "A tile lies face up off the line."),
        "referee": ("Word of the referee", "The referee decides."),
        "reveal": ("Tiles turned up", "The tiles that are left are turned up."),
        "lift": ("Tiles stood up", "A player stands their tiles up."),
        "rack_count": ("Tiles counted on a rack", "The tiles on a rack are counted."),
        "rack_swap": ("Tiles swapped on a rack", "Tiles on a rack change places."),
        "hand_over_table": ("Hand over the table", "A hand is over the play area."),
        "impact": ("Blow", "A tile strikes the table."),
        "draw": ("Draw", "Each player draws a tile for the first opening."),
        "shuffle": ("Shuffle", "The tiles are shuffled."),
        "take": ("Tiles taken", "A player takes tiles from the pile."),
        "entry": ("Points written down", "A person writes the points of the hand down."),
        "objection": ("Objection", "A player says that a play took their turn."),
        "none_can_play": ("nobody else can play", "Nobody else can play."),
        "entered": ("Entered by a person", "{by} entered: {what}."),
        "card": ("Card", "A card is shown to a player."),
        "correct": ("Correct", "What was told was otherwise, or never was."),
        "undo": ("Undo", "The latest entry of a person is taken back."),
        "start_match": ("Start the match", "The next match begins."),
        "start_hand": ("Start the hand", "The next hand is being dealt."),
        "snapshot": ("Publish again", "The state of the table is published again."),
        "recalibrate": ("Calibrate again", "The camera is to be calibrated again."),
        "match_over": ("the match is over", "The match is over already."),
    }
)

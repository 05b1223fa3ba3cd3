"""The sentences of the rules in English, translated from the Spanish ones; only those are binding."""

from types import MappingProxyType

RULES = MappingProxyType(
    {
        # DUSA: Competencias de Dominó
        "DUSA-0": "Domino competitions in the United States are governed by the Rules of Dominousa, “Swiss” system",
        "DUSA-1a": "Domino matches are played to two hundred (200) points or forty (40) minutes, whichever comes first.",
        "DUSA-1b": "If the 40 minutes come first, the pair with more points wins the match.",
        "DUSA-1c": "the hand that has been begun is finished, even beyond the 40 minutes of the rules.",
        "DUSA-2a": "each player takes one tile, and the player with the highest tile plays first.",
        "DUSA-2b": (
            "the openings of all hands rotate, from left to right, beginning with the player next to the one who began the match."
        ),
        "DUSA-3": "After the shuffle the tiles are picked up and put on the rack without being arranged.",
        "DUSA-4a": "no comments, gestures or movements that indicate a play are allowed.",
        "DUSA-4b": "The hands must be kept under the table. (Fine: 20 points)",
        "DUSA-5a": (
            "The fine applies if a player – having a play – says “pass” or indicates that he “passes”. (Fine: 50 points)"
        ),
        "DUSA-5b": "If in the opinion of the table arbiter the false pass was intentional, the pair loses the match.",
        "DUSA-6a": "“A tile touched is a tile played”.",
        "DUSA-6b": "If it cannot be played, the tile is laid face up on the table.",
        "DUSA-6c": "The tile is played at the first opportunity, whether or not that suits the player.",
        "DUSA-6d": "If the player wins or blocks with the tile, the points do not count for the pair.",
        "DUSA-6e": "The player loses his opening.",
        "DUSA-7": ("The fine applies if a player plays out of turn, whether or not the tile can be played. (Fine: 20 points)"),
        "DUSA-8": (
            "The fine applies if a player – in turn – plays or tries to play a tile that fits neither side of "
            "the line. (Fine: 50 points)"
        ),
        "DUSA-9": (
            "the player must announce that nobody else can play, or wait until the other three players say or "
            "indicate that they pass before playing. (Fine: 20 points)"
        ),
        "DUSA-10a": ("In a block all unplayed points of both pairs are counted and the pair with fewer points wins the block."),
        "DUSA-10b": "If the two pairs have equal points, the hand is void and the rotation goes on.",
        "DUSA-11a": "The first tile of the hand, if it is a double, is laid across the player's view",
        "DUSA-11b": "if it is a mixed tile, it is laid with the lower number towards the player.",
        "DUSA-12": (
            "The table arbiters have the power to decide any matter not covered by these rules, and the decision is final."
        ),
        # FID: Leyes Internacionales, extract
        "FID-0": "the following rules serve well to guide the general conditions of a domino tournament.",
        "FID-VOC-1": "Play: laying a tile on the table",
        "FID-VOC-2": "The player who first runs out of tiles wins the hand (except in a block).",
        "FID-VOC-3": "The sum of the black pips on the unplayed tiles, or prizes for special plays",
        "FID-VOC-4": "All hands until one of the 2 pairs has reached the points set as the target by the organisers.",
        "FID-VOC-5": "All matches agreed by the organisers for each competition.",
        "FID-VOC-6": "The tiles that share the number of one of their halves.",
        "FID-BEH-1": "each player opposite his partner. They GREET each other before and after the encounter.",
        "FID-BEH-2": (
            "They may NOT talk during play; only a brief comment is allowed when the hand is over. Lying or "
            "misleading is not allowed."
        ),
        "FID-BEH-3": (
            "Tiles are NOT struck when laid, and all are played naturally, unhurried, without blows and without "
            "preconceived or systematic movements."
        ),
        "FID-BEH-4": "No theatrics, mockery or any lack of respect for the partner or the rivals is allowed.",
        "FID-BEH-5": "4 players in crossed pairs play with a set of 28 tiles. Each player plays 7 tiles.",
        "FID-BEH-6": "Play goes round to the right (counter-clockwise).",
        "FID-BEH-7": "Nobody may enter the hall without the official uniform.",
        "FID-BEH-8": "All officials may take part in the championship, but then lose their office for as long as it lasts",
        "FID-BEH-9": "No player may plead physical impairments as a reason not to respect these rules.",
        "FID-SAL-1": (
            "Whoever draws the highest sum (on a tie the highest suit, the 6) is player 1 and chooses a place at the table."
        ),
        "FID-SAL-2": ("Player 4 turns the tiles face down and, so that no tile can be traced, moves them, mixing them clearly."),
        "FID-SAL-3": "Player 1 moves and mixes them once more.",
        "FID-SAL-4": "Players 2, 3 and 4, in this order, take 7 tiles each without lifting or looking at them.",
        "FID-SAL-5": (
            "He stands them on the table on the short side, the numbers towards him. He may NOT move them or "
            "change their place. He may touch them only to play them once he has decided."
        ),
        "FID-SAL-6": (
            "across his view if it is a double. Or with the half of fewer points nearer to him if it is a tile of two values."
        ),
        "FID-SAL-7": (
            "Player 2 lifts his tiles in the same way. He lays the chosen tile next (following the "
            "counter-clockwise path, as play goes)"
        ),
        "FID-SAL-8": "Players 3 and 4 may not lift their tiles until their partner has played.",
        "FID-SAL-9": (
            "When the hand is over this is repeated, with the player to the right of the previous one as player 1, and so on."
        ),
        "FID-PUN-1": "The player who first runs out of tiles wins the hand. The win belongs to both players of the pair.",
        "FID-PUN-2": ("They collect all tiles that were not played, the partner's included, and count all the points on them"),
        "FID-PUN-3": "until the points agreed by the organisers are reached or passed (300 at the 2nd World Championship)",
        "FID-PUN-4": "The other pair must check that the sum of points is right and that the entries have no error.",
        "FID-PUN-5": "Each pair may ask for a second score sheet and keep the score alongside.",
        "FID-PUN-6": (
            "In a block the players add up the points of both their tiles, and the pair with the lower sum wins. "
            "The winners score the total of unplayed points."
        ),
        "FID-PUN-7": (
            "On a tie (both pairs have the same sum) the hand is void, nothing is written down and the next one is played"
        ),
        "FID-PUN-8": "The number of hands must be even, so when the last hand is called one last even hand may be played.",
        "FID-PUN-9": "Tiles are not dealt again for 5 or more doubles.",
        "FID-PUN-10": (
            "When there is an error or confusion in a score sheet already handed in, the judge changes the "
            "standings during the next match."
        ),
        "FID-ACT-1": "Tiles are laid in one position and can NOT be changed.",
        "FID-ACT-2": (
            "Thinking is allowed ONLY with two or more tiles to play, or with one tile that can be played on "
            "both halves with two different suits. Time beyond 3 seconds after the opponent's play counts as "
            "thinking."
        ),
        "FID-ACT-3": (
            "When a player commits an infraction, wilful or not … the rival to his right may call the arbiter "
            "and 1- go on with the hand as it is, 2- repeat the hand (the offending pair may not open) 3- or go "
            "back to where the infraction happened"
        ),
        "FID-ACT-4": "No player may stand up from the table, talk on the telephone, or act so as to distract the rivals",
        "FID-ACT-5": "Excessive or needless thinking is considered unsporting conduct.",
        "FID-ACT-6": (
            "The players must not look each other in the face, nor make any gesture that could be taken as "
            "additional information."
        ),
        "FID-ACT-7": "Repeated incidents by one pair lead to notice, warning and expulsion from the championship.",
        "FID-ACT-8": "“Fixing”, an agreement between players to alter the result, brings a black card at once.",
        "FID-ACT-9": "Fights or serious incidents bring a black card at once.",
        "FID-ACT-10": (
            "Wrong tiles, fallen tiles and any other infraction ARE NOT PUNISHED IN POINTS. Only unsporting "
            "conduct is punished as an infraction."
        ),
        "FID-CLA-1": (
            "after each match the ranking is by matches won and, when wins are equal, by the sum of point differences."
        ),
        "FID-CLA-2": "For the next match 1st meets 2nd, 3rd meets 4th, and so on.",
        "FID-CLA-3": "With an odd number, the last pair wins its encounter with 150 points in favour.",
        "FID-CLA-4": "Pairs that are late lose the match 7 minutes after the start signal.",
        "FID-CLA-5": "Any pair may ask the table arbiter to withdraw from the competition",
        "FID-DEN-1": "It may be made IN WRITING by any person, rival, arbiter, even an onlooker.",
        "FID-DEN-2": "At the arbiter's discretion the player may be warned or advised not to repeat the irregular act.",
        "FID-DEN-3": "a complaint is not valid without proof or witness.",
        "FID-TAR-Y": (
            "it must be reported by one of these 2 arbiters and ratified by the other, so that there are a "
            "reporter with authority and a witness."
        ),
        "FID-TAR-R": "it must be reported by one of these 2 arbiters and ratified by the other, for the second time.",
        "FID-TAR-N1": "Only the principal judge may show a black card.",
        "FID-TAR-N2": "may expel him from the playing hall, showing the black card and telling security.",
        "FID-TAR-N3": "If the match is not finished, the rivals win, with at least 50% of the points in their favour.",
        "FID-APE": "The player may appeal in writing at any time, following these steps",
        "FID-DOP": "the players may be tested for doping at any moment of the competition.",
        "FID-ESP": "in any incident the players of a table should come to an agreement, and the sporting spirit prevail.",
    }
)

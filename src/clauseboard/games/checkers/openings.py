"""The names that players have given to openings of checkers.

Tournaments draw the first three moves from a deck of cards (`selfplay.three_move_deck`). The first
move gives most openings their name, or, after 11-15, the reply; some cards, and older openings
that go on for five moves, have a name of their own. The names are those of the lists of the
American Checker Federation and of the literature.
"""

from __future__ import annotations

NAMES: dict[str, str] = {
    "9-13": "Edinburgh",
    "9-13 22-18 6-9": "Dreaded Edinburgh",
    "9-13 22-18 10-14": "Inferno",
    "9-13 22-18 11-15": "Edinburgh Single",
    "9-13 22-18 11-16": "Wilderness I",
    "9-13 23-18 11-16": "Wilderness II",
    "9-13 24-20 11-16": "Twilight Zone",
    "9-14": "Double Corner",
    "9-14 23-18": "Double Cross",
    "9-14 23-19 10-15": "Rattlesnake",
    "10-14": "Denny",
    "10-14 22-17 9-13": "Black Hole",
    "10-14 22-17 11-16": "Gemini I",
    "10-14 22-18 7-10": "Fraser's Inferno",
    "10-14 22-18 12-16": "White Doctor",
    "10-14 23-19 7-10": "Diabolical Denny",
    "10-15": "Kelso",
    "10-15 21-17 7-10": "Octopus",
    "10-15 21-17 9-13": "Tyne",
    "10-15 22-17 9-14": "Nutcracker",
    "10-15 22-17 15-19": "Skull-Cracker",
    "10-15 23-19 11-16": "Gemini II",
    "11-15 21-17": "Switcher",
    "11-15 22-17 8-11 17-13 4-8 25-22": "Douglas",
    "11-15 22-17 8-11 17-13 15-18": "Maid of the Mill",
    "11-15 22-17 9-13 17-14": "Boston",
    "11-15 22-17 15-19": "Dyke",
    "11-15 22-18": "Single Corner",
    "11-15 23-18": "Cross",
    "11-15 23-18 8-11 27-23 11-16": "Slip Cross",
    "11-15 23-19 8-11 22-17 3-8": "Alma",
    "11-15 23-19 8-11 22-17 4-8": "Old Fourteenth",
    "11-15 23-19 8-11 22-17 9-13": "Laird and Lady",
    "11-15 23-19 8-11 22-17 11-16": "Glasgow",
    "11-15 23-19 8-11 22-17 15-18": "Centre",
    "11-15 23-19 8-11 26-23": "Nailor",
    "11-15 23-19 9-13": "Will o' the Wisp",
    "11-15 23-19 9-14 22-17 5-9": "Fife",
    "11-15 23-19 9-14 22-17 6-9": "Souter",
    "11-15 23-19 9-14 27-23": "Defiance",
    "11-15 24-19": "Second Double Corner",
    "11-15 24-20": "Ayrshire Lassie",
    "11-16": "Bristol",
    "11-16 21-17 7-11": "Octopus",
    "11-16 21-17 10-14": "Shark",
    "11-16 22-18 10-15": "Cheetah",
    "11-16 23-18": "Bristol Cross",
    "11-16 23-19 16x23": "Black Widow",
    "11-16 24-19": "Paisley",
    "12-16": "Dundee",
    "12-16 24-20 10-15": "Skunk",
}
"""Names by the moves, as they are written in records."""

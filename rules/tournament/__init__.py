"""A tournament away from the table: standings, pairing, cards, complaints, appeals. Pure values, standard library only.

A tournament is its organiser's conditions and an append-only list of entries; everything else is a fold over that list.
"""

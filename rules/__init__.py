"""The rules: observations to game, infractions and points. Pure values, standard library only."""

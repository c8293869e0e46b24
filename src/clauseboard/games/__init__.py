"""The games, one folder each; `clauseboard.game.load_game` finds them."""

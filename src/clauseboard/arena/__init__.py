"""Players against each other: games, matches, tournaments, ratings, and where they are kept."""

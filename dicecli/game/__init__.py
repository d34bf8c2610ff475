"""A game being played: seed to dice, actions, events; pure, so that play, replay and computers agree."""

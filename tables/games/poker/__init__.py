"""What every poker game stands on: which hand beats which. The games are in `house_poker` and `ring`."""

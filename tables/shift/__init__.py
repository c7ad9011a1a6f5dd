"""The shift as it went: hour by hour, in figures, and told from the events; the chiefs' own notes apart."""

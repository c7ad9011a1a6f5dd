"""People's data: kept no longer than it must be, never shown without a trace (docs/people_data.md).

kinds       what is kept of people, registered by the room that keeps it
retention   how long, by setting; never less than REC-12 says
holds       what must not be touched, whatever its age
erasing     what is over its period becomes pseudonyms, by order of two people
looking     who looked at whom
proofs      all that, against the trail
"""

"""A whole position as text, hidden parts and draws included.

One `key: value` per line; blank lines and everything after `#` are ignored; order of lines is free except for the
first. Whatever is left out takes the value in brackets. The shortest position is four lines::

    crowns 1                  # game and rules version
    players: 2
    at 4: s0 K+2k             # seat 0: King and two Normal Knights on triangle 4
    at 91: s1 K+1k+1g         # seat 1: King, one Normal and one Golden Knight on 91

The match::

    board: standard           # or large [standard]
    players: 2                # 2-6; seats lie on the sides that the rules give this number
    clock: 30                 # seconds a turn: 0, 30, 60 or 90 [0]
    secret: 00..00            # 64 hex digits [all zeros]
    draws: relics=12 deck=39  # how many draws of each purpose were made [none]
    actions: 57               # actions taken so far [0]
    ended: escape 1           # how, and the winning seat; `limit` has none [not ended]

The turn::

    round: 3                  # [1]
    turn: 0                   # whose [0]
    decision: 9               # id of the open decision [1]
    moves: 2                  # left in this turn [1]
    done: move card           # the first move, the turn's card, or both, are behind [neither]
    shield: 12                # a Shield collected on triangle 12 waits for its owner's choice [none]
    deadline: 30000           # when the turn's clock runs out, in milliseconds [none]

One line for each seat that differs from [a living person with no Crowns, no cards, no misses]::

    seat 1: crowns=2 hand=3,17 missed=1/2
    seat 2: bot               # a bot from the start, nobody to take it back
    seat 3: bot person        # a person's seat that a bot plays for now
    seat 3: out=1             # the first to be eliminated; a seat without a King has to say so

`missed` is in a row / in all. The reserve is never written: it is 10 less the Knights on the arena.

One line for each triangle that holds anything, items parted by commas::

    at 12: s0 K+2k+1g         # K the King, k Normal Knights, g Golden Knights; parts in this order
    at 40: crown, fallen 2    # crown, horse, shield, boat or loot; and Fallen Crowns (a bare `fallen` is one)
    at 50: s1 2k, snare       # a Snare that holds in seat 1's next turn
    at 51: s1 1g, snare now   # one that holds in seat 1's turn under way

The cards and the relics on their way back::

    deck: 5 1 40              # top first [all that are nowhere else, ascending]
    discard: 2 9              # oldest first [none]
    returning: crown@40 boat@7  # in order of collection, each with where it was collected [none]
"""

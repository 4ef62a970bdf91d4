"""Everything the engine raises.

EngineError
├── OptionsError            options or number of players that the game does not offer
├── MalformedActionError    an action or notation that no position could mean
├── IllegalActionError      an action that this position does not allow
├── IllegalSelectionError   a selection that the seat cannot pick up
└── PositionTextError       text that describes no position
"""

from __future__ import annotations


class EngineError(Exception):
    """Base of all; its text is one sentence that names value, rule and way out."""


class OptionsError(EngineError):
    """Options or a number of players that the game does not offer."""


class MalformedActionError(EngineError):
    """An action or notation that no position could mean."""


class IllegalActionError(EngineError):
    """An action that this position does not allow."""


class IllegalSelectionError(EngineError):
    """A selection that the seat cannot pick up."""


class PositionTextError(EngineError):
    """Text that describes no position."""

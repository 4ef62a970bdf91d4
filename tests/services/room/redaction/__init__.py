"""What clients receive, searched byte for byte for what they may not know: whole matches of every game."""

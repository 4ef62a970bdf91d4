"""The timer service: tells rooms when a decision's clock has run out. Rooms judge; it only has to be punctual."""

"""The real processes, from outside: started, played on, killed. What they print and how they exit is what counts."""

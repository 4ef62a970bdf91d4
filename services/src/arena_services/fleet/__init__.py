"""The fleet service: keeps as many rooms as matches need, and a buffer of free places on top."""

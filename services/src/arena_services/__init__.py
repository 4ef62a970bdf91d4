"""Arena's services: matchmaking, room, bot and timer, the kit they share, and the command line around them."""

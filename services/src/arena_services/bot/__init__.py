"""The bot service: plays seats that bots have, as any client would, through the public API."""

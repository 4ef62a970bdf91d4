"""From a person at the door to a seat in a match: sign-in, queues, tickets."""

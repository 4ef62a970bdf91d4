"""Singhasan: answer by conscience, win the provinces' oaths, take the Lion Throne; for 2-5 claimants."""

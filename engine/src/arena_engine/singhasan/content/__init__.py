"""What Singhasan is made of, as data: Questions, Followers, Headlines and Conspiracies."""

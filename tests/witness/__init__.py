"""Players who write down all that they are told, and what that is held against afterwards: the logs of their matches.

`players` and `onlooker` play and watch, `record` is what they keep, `logs` reads what was stored, `told` folds it,
`checks` compares, `problems` are what may turn out to be wrong.
"""

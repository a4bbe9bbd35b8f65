#!/usr/bin/env python3
"""A bot in Python, with the standard library alone: picks many pieces, and draws among equals."""

import json
import random
import sys

draws = random.Random(0)
displays: list[list[str]] = []


def worth(step: str) -> int:
    """Prefer picks of many pieces; everything else is worth the same. Make it better!"""
    words = step.split()
    if words[0] != "pick" or words[1] == "center":
        return 0
    return displays[int(words[1]) - 1].count(words[2])


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":  # a game begins: draw only from its seed, so that the game can be repeated
        draws = random.Random(message["seed"])
    elif message["type"] == "dealt":
        displays = message["displays"]
    elif message["type"] == "choose":  # our turn: one line of words is the answer
        legal = message["legal"]
        draws.shuffle(legal)
        print(max(legal, key=worth), flush=True)

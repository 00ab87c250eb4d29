"""Ludothèque: tabletop games for people, bots and research, each from one text of its rules."""

"""Lets the tests find this game, wherever its folder stands."""

from pathlib import Path

from ludotheque.engine.discovery import use_folders

use_folders([Path(__file__).parents[2]])

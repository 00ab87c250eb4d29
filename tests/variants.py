"""The smallest variant of each game that has an option which makes it smaller."""

SMALLEST: dict[str, dict[str, int]] = {
    "stupide_vautour": {"cards": 2},
    "ubongo": {"cards": 4},
    "up_and_down": {"values": 2},
}

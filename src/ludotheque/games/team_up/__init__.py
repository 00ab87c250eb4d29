"""Team UP: a team packs boxes on a pallet, as its cards allow, into complete layers."""

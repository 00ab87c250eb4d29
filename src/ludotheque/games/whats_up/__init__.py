"""What's Up: turn birds over and gather them in order, from memory."""

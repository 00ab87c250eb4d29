"""Up & Down: trick-taking with rules that change before every trick."""

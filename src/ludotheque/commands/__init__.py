"""What the command `ludotheque` does, one module a topic; slow imports wait until it runs."""

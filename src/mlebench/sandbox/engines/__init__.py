"""What the sandboxes `bubblewrap` and `docker` consist of: arguments, programs, containers."""

"""Our own figures, each beside the floor it stands on, in one run. Nothing here is a test."""

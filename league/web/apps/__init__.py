"""Pages and endpoints for signing in to third-party apps."""

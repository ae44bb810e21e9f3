"""Pages and addresses with which people sign in to apps of others."""

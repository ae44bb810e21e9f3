"""Apps of others that people can sign in to."""

"""Apps of others that act for accounts: OAuth 2 and OpenID Connect."""

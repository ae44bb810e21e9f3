"""Third-party apps that act for accounts: OAuth 2 and OpenID Connect."""

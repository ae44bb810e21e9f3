"""Third-party apps in the admin."""

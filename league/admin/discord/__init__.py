"""Discord in the admin: boards in channels."""

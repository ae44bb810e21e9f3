"""Webhooks in the admin: endpoints and what was sent to them."""

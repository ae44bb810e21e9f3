"""Webhooks in the admin: endpoints and the deliveries to them."""

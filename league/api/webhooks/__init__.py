"""Routes that manage webhooks."""

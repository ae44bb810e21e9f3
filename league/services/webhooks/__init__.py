"""Webhooks: events of the league, sent to other programs."""

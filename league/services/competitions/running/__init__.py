"""From entries to the last round."""

"""Tables, their tie-breaks, and who is promoted."""

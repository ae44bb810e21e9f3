"""How each language writes dates, where the site differs from Django."""

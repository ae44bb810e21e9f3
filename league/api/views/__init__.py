"""The doorways of the API: load, check, call one service, answer."""

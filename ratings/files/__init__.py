"""Files of results that other programs wrote, read into one description of a result.

``reading.read`` takes the bytes of a file. It recognises the format by content (``formats``, one
file each), and returns results, problems by line, and remarks. Every door reads with it: the
browser, the API, and the commands ``import_history``, ``replay`` and ``lab``.
"""

"""`make cluster`: the site on nine machines, some of which are lost under load."""

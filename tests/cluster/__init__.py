"""`make cluster`: the site on nine machines, which lose some of them under load."""

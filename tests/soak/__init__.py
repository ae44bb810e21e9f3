"""`make soak`: how much memory a site takes after a while under ordinary use."""

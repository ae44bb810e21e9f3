"""What other sites show of the league: pictures of pages, feeds, embedded parts, a site map."""

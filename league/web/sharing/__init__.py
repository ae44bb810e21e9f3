"""The league on other sites: pictures of pages, feeds, embedded parts, a site map."""

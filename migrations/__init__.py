"""How the database came to be: one step a file, oldest first; a step that was released is never changed."""

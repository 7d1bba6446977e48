"""The small HTTP server shared by gateway, validation and viewer."""

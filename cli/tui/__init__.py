"""The full-screen board: play, lessons, guide and replay on Textual."""

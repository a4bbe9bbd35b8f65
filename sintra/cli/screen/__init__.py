"""The full screen of `play` and `replay`: pages of text that can be pointed at, shown by Textual."""

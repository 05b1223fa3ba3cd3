"""One thin file per command of `miron`."""

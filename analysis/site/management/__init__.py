"""Commands of the installation: backup, restore, demo."""

"""The pages around the work: home, study page, help, status, health, export, backup, demo."""

"""How should this benchmark be run? Plans from recorded forks: reads, figures, files, command."""

"""How should this benchmark be run? Plans from recorded forks: page, file, command."""

"""References: what detections are compared with, and which series decisions leave out."""

"""Pictures to tile detections: the network, its weights and their cards."""

"""Records of runs, their JSON, and every figure that follows from them. Standard library only."""

"""What happened: records, their JSON, and every figure that follows from them. Standard library only."""

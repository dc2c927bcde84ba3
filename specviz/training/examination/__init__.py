"""What any pair can do, and how well its draft follows the target: acceptance, answers, bits a byte, speed."""

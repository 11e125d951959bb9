"""What this machine reaches, measured with numpy, and what the cost library predicts from that."""

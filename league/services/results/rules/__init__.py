"""What a result must satisfy, and how much it counts."""

"""What is wrong with the data itself."""

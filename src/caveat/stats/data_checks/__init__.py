"""Signs that responses are not what they seem. One check a file."""

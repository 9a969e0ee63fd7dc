"""What further comparisons of the models of one benchmark found."""

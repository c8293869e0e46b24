"""Players that judge positions by the votes of Tsetlin Machines."""

"""Find good settings for a Tsetlin Machine on a data set."""

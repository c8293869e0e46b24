"""A weighted sum of features that judges boards, its weights learned by temporal differences."""

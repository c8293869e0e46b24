"""The command line: one small file a command. Nothing heavy is imported before it is needed."""

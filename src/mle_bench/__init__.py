"""The second import name under which programs know the benchmark."""

"""Trials of agents: a scripted model drives a real agent in a real sandbox to a submission."""

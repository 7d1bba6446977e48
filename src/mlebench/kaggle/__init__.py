"""Kaggle's client: downloads, leaderboards, official pages."""

"""The Settlers of Zarahemla."""

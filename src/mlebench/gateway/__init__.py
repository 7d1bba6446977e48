"""The model gateway: forwards an agent's model calls, holds the key, records, keeps budgets."""

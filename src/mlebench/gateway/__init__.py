"""The model gateway: forwards an agent's model calls, records them and keeps budgets.

`client.start_gateway` runs it as a process with the real key, `client.open_endpoint` opens an
endpoint for one run, and `server.Gateway` is the gateway itself.
"""

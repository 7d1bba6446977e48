"""`python -m mlebench.gateway`: started by the harness, see `client.start_gateway`."""

from mlebench.gateway.server import main

main()

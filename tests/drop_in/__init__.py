"""The surface of the published package: every name that programs written for it rely on."""

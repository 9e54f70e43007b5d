"""The one-command stack: embedded NATS and Postgres, all services, a sample workspace.

For trying, developing and testing on one machine. How a cluster runs the same services is `deploy/k8s`;
nothing here is needed there.
"""

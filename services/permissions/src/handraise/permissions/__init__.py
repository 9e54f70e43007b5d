"""The permissions service: the only judge of who may do what. The rules are in `handraise.workspace.policy`."""

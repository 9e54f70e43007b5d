"""What Handraise's services share: bus contracts, parking, questions, settings, telemetry, ids, time.

Imports nothing else of ours. What belongs to the workspace's domain lives in `handraise.workspace`.
"""

"""Executes agents' loops: rounds, reads, proposals, parks, resumes, and what a person confirmed.

Holds nothing between messages but caches: a job's truth is in Postgres, what wakes it is in JetStream.
"""

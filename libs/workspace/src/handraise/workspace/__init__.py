"""The domain an agent acts on: schema, migrations, policy rules, gated views, actions, tools.

Knows nothing of buses, models or HTTP. Every service may import it; it imports only `handraise.common`.
"""

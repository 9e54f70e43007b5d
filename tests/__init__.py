"""What Handraise promises, by cost: unit, contract, integration, race, crash, e2e, and the guards of its laws."""

"""Chips and money of the floor: desks, chip stock, fills and credits, boxes, the cage."""

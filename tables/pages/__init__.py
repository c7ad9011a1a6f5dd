"""Pages of the floor: what a pit boss and a supervisor see and do."""

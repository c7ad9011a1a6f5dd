"""The yardstick: figures that say how fast the house is, beside something that bounds it.

A room adds its own by a module `bench` with `figures.register(...)`; `manage.py bench` finds them as
Django finds an app's other modules, runs each on a throw-away database and prints what it says.
"""

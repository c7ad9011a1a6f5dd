#!/usr/bin/env python3
"""Django's command line. Without a server at hand: python -m casino.embedded exec -- python manage.py …"""

import os
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()

"""python -m casino.embedded run | exec [--home FOLDER] [--throwaway] -- COMMAND …"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path

from casino.embedded.home import Home
from casino.embedded.process import EmbeddedError
from casino.embedded.run import CHECKOUT, Stopped, run_command, run_house


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m casino.embedded")
    parser.add_argument(
        "--home", type=Path, default=CHECKOUT / ".sabot", help="folder of the servers (.sabot)"
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("run", help="the whole house, until Ctrl-C")
    one = verbs.add_parser("exec", help="one command, with the servers up")
    one.add_argument("--home", type=Path, default=argparse.SUPPRESS, help="folder of the servers (.sabot)")
    one.add_argument("--throwaway", action="store_true", help="do not wait for the disk: tests' data")
    one.add_argument("command", nargs=argparse.REMAINDER, metavar="-- COMMAND")
    asked = parser.parse_args(arguments)
    command = list(getattr(asked, "command", []))
    if command[:1] == ["--"]:
        command = command[1:]
    if asked.verb == "exec" and not command:
        parser.error("exec needs a command, as in: exec -- python manage.py shell")
    try:
        home = Home(asked.home, throwaway=getattr(asked, "throwaway", False))
        return run_command(home, os.environ, command) if command else run_house(home, os.environ)
    except EmbeddedError as error:
        print(f"sabot: {error}", file=sys.stderr)
        return 1
    except (Stopped, KeyboardInterrupt):
        return 128 + signal.SIGINT


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

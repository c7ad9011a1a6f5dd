"""As much of `curl` as docs/api.md uses, so that the guide is tried where no curl is installed."""

from __future__ import annotations

import sys
import urllib.error
import urllib.request


def main(arguments: list[str]) -> None:
    """`curl -s [-i] URL [-H "Name: value"]… [-d BODY]`."""
    rest = iter(arguments)
    address, headers, body, show = "", {}, None, False
    for argument in rest:
        if argument == "-H":
            name, _, value = next(rest).partition(":")
            headers[name] = value.strip()
        elif argument == "-d":
            body = next(rest).encode()
        elif argument == "-i":
            show = True
        elif argument != "-s":
            address = argument
    try:
        answer = urllib.request.urlopen(urllib.request.Request(address, body, headers))
    except urllib.error.HTTPError as refusal:
        answer = refusal
    if show:
        sys.stdout.write(f"HTTP/1.1 {answer.status}\n{answer.headers}")
    sys.stdout.write(answer.read().decode() + "\n" * show)


if __name__ == "__main__":
    main(sys.argv[1:])

"""`sfida serve`: the table in the browser."""

from __future__ import annotations

import os
import socket
import sys
import webbrowser

import click

from sfida.cli.errors import DONE, Failure
from sfida.cli.lines import Trust, trust_option
from sfida.cli.output import Number, Output, color_option, output_for

PORT = 8765
_ADDRESS = ("127.0.0.1", "0.0.0.0")     # reachable from this computer only, from everywhere


@click.command("serve")
@click.option("--port", type=Number(int, 0, 65535), default=PORT, metavar="N", show_default=True,
              help="Port of the server; 0: any that is free.")
@click.option("--share", is_flag=True,
              help="Let others in your network take part: whoever has a link of a table may sit down there.")
@click.option("--workers", type=Number(int, 1, 64), metavar="N",
              help="Most decisions of the computer that are searched at the same time.  [default: one for each core]")
@click.option("--tables", type=Number(int, 1, 1000), default=20, metavar="N", show_default=True,
              help="Most tables in play at once.")
@click.option("--no-browser", is_flag=True, help="Print the address only.")
@click.option("--lang", type=click.Choice(["en", "it"]), help="Language of the pages.  [default: the browser's]")
@trust_option
@color_option
@click.pass_context
def command(context: click.Context, port: int, share: bool, workers: int | None, tables: int, no_browser: bool,
            lang: str | None, trust: Trust) -> None:
    """Play in the browser: boards to click, friends by link.

    \b
    sfida serve
    sfida serve --share                 friends in your network play along
    sfida serve --port 9000 --no-browser

    Opens a page in your browser that only this computer can reach. A game is kept
    after every move: if the server ends, or is killed, the next one at the same port
    continues with all tables, and their links stay good; 'sfida play' offers the games,
    too. Needs the packages of the extra 'web'. Ctrl-C ends the server.
    """
    output = output_for(context, False)
    try:
        from sfida.web.serving import Server
    except ModuleNotFoundError as error:
        raise Failure(f"'sfida serve' needs the package '{error.name}': pip install 'sfida[web]'") from None
    listening = _listen(port, share)
    server = Server(listening, share=share, workers=workers, tables=tables, lang=lang or "",
                    trusts=trust.everything)
    _tell(output, server.addresses, share)
    if not no_browser and _has_screen():
        webbrowser.open(server.addresses[0])
    server.run()
    context.exit(DONE)


def _listen(port: int, share: bool) -> socket.socket:
    """Return a socket that listens on a port; raises Failure if the port is taken."""
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((_ADDRESS[share], port))
        listening.listen()                      # a browser that connects before the server is ready waits
    except OSError as error:
        listening.close()
        raise Failure(f"port {port} cannot be used: {error.strerror}; name another one with --port") from None
    return listening


def _has_screen() -> bool:
    """Return whether a browser would open a window rather than take over the terminal."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _tell(output: Output, addresses: list[str], share: bool) -> None:
    output.line(f"Sfida is served at {addresses[0]}")
    for address in addresses[1:]:
        output.line(f"from other computers, for you alone: {address}")
    if share:
        output.note("Give friends the links that a table shows, not these: whoever opens these is the host.")
    output.note("Ctrl-C ends it; all games are kept.")

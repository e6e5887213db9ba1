"""Firefox as it is, for a driver that knows it better: ``python -m tests.wasm.firefox PROGRAM [OPTION ...]``.

Playwright drives an installed Firefox by WebDriver BiDi, for which Firefox 153 is a little old. This starts
Firefox, stands between the two and changes two things:

- the command for light or dark pages, which this Firefox does not know, is answered by "done" (no test of
  Firefox asks for one of them by it);
- a file that a page offers, of which this Firefox tells no number, gets its address for one.
"""

import asyncio
import json
import re
import sys

from tornado import httpserver, netutil, web, websocket

UNKNOWN = "emulation.setMediaFeaturesOverride"
FILES = ("browsingContext.downloadWillBegin", "browsingContext.downloadEnd")
MOST_BYTES = 1 << 30
LISTENS = rb"WebDriver BiDi listening on (ws://\S+)"


class Relay(websocket.WebSocketHandler):
    """One connection of the driver, handed on to Firefox at `place`."""

    async def prepare(self):
        place = self.application.settings["place"] + self.request.path
        self.firefox = await websocket.websocket_connect(place, max_message_size=MOST_BYTES)
        self.forgiven = set()

    def open(self):
        self.answers = asyncio.ensure_future(self.answer())

    async def answer(self):
        """Hand back what Firefox says, until it is gone."""
        while (text := await self.firefox.read_message()) is not None:
            begin = text[:1000]
            if '"unknown command"' in begin or '"browsingContext.download' in begin:
                text = json.dumps(self.mended(json.loads(text)))
            await self.write_message(text)
        self.close()

    def mended(self, said):
        """An answer or event as a newer Firefox would send it."""
        if said["type"] == "error" and said["id"] in self.forgiven:
            return {"type": "success", "id": said["id"], "result": {}}
        file = said.get("params", {})
        if said.get("method") in FILES and not file.get("download"):
            file["download"] = file["navigation"] or file["url"]
        return said

    async def on_message(self, text):
        if UNKNOWN in text[:1000]:
            self.forgiven.add(json.loads(text)["id"])
        await self.firefox.write_message(text)

    def on_close(self):
        self.firefox.close()


async def run(program, *options):
    """Run Firefox to its end and tell the driver on ``stderr`` the place of the relay instead of its own."""
    process = await asyncio.create_subprocess_exec(program, *options, stderr=asyncio.subprocess.PIPE)
    (socket,) = netutil.bind_sockets(0, "127.0.0.1")
    async for line in process.stderr:
        found = re.search(LISTENS, line)
        if found:
            relay = web.Application(
                [("/.*", Relay)], place=found[1].decode(), websocket_max_message_size=MOST_BYTES
            )
            httpserver.HTTPServer(relay).add_sockets([socket])
            line = line.replace(found[1], b"ws://127.0.0.1:%d" % socket.getsockname()[1])
        sys.stderr.buffer.write(line)
        sys.stderr.flush()
    return await process.wait()


if __name__ == "__main__":
    sys.exit(asyncio.run(run(*sys.argv[1:])))

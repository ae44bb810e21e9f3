"""Pass connections from a port on to a Unix socket: a database with a network in front of it."""

import asyncio
import sys
from contextlib import suppress


async def serve(path: str, port: int) -> None:
    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            there, back = await asyncio.open_unix_connection(path)
            await asyncio.gather(pass_on(reader, back), pass_on(there, writer))

    async with await asyncio.start_server(accept, "0.0.0.0", port) as server:  # noqa: S104 - in a network of its own
        await server.serve_forever()


async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while some := await reader.read(65536):
            writer.write(some)
            await writer.drain()
    writer.close()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], int(sys.argv[2])))

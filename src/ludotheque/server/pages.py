"""The client's files, and its one page for every other path.

They are compressed once: to compress a large one for each visitor would keep everyone waiting.
"""

from __future__ import annotations

import asyncio
import gzip
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

PAGE = "index.html"
FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}  # its name has its hash
ASK_AGAIN = {"Cache-Control": "no-cache"}  # the name stays when the content changes
PACKED = (".css", ".html", ".js", ".svg", ".webmanifest")
FEW_BYTES = 1000  # of a file that is not worth compressing
FILES_KEPT = 256  # compressed, more than a client has


def routes(folder: Path) -> list[Route | Mount]:
    if not folder.is_dir():
        return [Route("/{rest:path}", _not_built)]
    names = {path.name for path in folder.iterdir() if path.is_file()} - {PAGE}
    return [
        Mount("/assets", _Assets(directory=folder / "assets")),
        Route("/{rest:path}", partial(_page, folder, names)),
    ]


class _Assets(StaticFiles):
    async def get_response(self, path: str, scope: Scope) -> Response:
        return await _packed(await super().get_response(path, scope), Headers(scope=scope))

    def file_response(self, *args: Any, **options: Any) -> Response:
        response = super().file_response(*args, **options)
        response.headers.update(FOR_EVER)
        return response


async def _page(folder: Path, names: set[str], request: Request) -> Response:
    """A file of the client if there is one of that name, its page if not.

    A path is looked up among names, so that nothing a stranger writes reaches the disk.
    """
    wanted = request.path_params["rest"]
    path = folder / (wanted if wanted in names else PAGE)
    return await _packed(FileResponse(path, headers=ASK_AGAIN), request.headers)


async def _not_built(_: Request) -> Response:
    return JSONResponse({"error": "the page has not been built; run make play"}, 503)


async def _packed(response: Response, asked: Headers) -> Response:
    """The same answer compressed, if it is a file worth it and the client takes it so."""
    if not isinstance(response, FileResponse) or "range" in asked:
        return response
    path = Path(response.path)
    if path.suffix not in PACKED or "gzip" not in asked.get("accept-encoding", ""):
        return response
    found = await asyncio.to_thread(path.stat)
    if found.st_size < FEW_BYTES:
        return response
    content = await asyncio.to_thread(_compressed, path, found.st_mtime_ns)
    kept = {name: value for name, value in response.headers.items() if name != "content-length"}
    headers = {**kept, "Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return Response(content, headers=headers)


@lru_cache(FILES_KEPT)
def _compressed(path: Path, _changed: int) -> bytes:
    return gzip.compress(path.read_bytes(), mtime=0)

"""The addresses of the viewer.

/api/index /api/events /api/search /api/compare
/api/g/GROUP  /api/g/GROUP/r/RUN[/log|trajectory|tree|files|file|submission|similarity]
/api/c/COMPETITION
/raw/g/GROUP/r/RUN     a file as a download
/e  /e/NAME            logs of episodes in the folder `episodes`
/static/NAME           a file of the package
everything else        the page; its script reads the address
"""

from __future__ import annotations

import asyncio
import gzip
import logging
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from mlebench.catalogue import Catalogue
from mlebench.errors import BenchError
from mlebench.http import HttpReply, HttpRequest, HttpStream
from mlebench.results.attempts import RunMemory
from mlebench.viewer.answers import GZIP_LEVEL, StaticFiles, encode, json_reply, raw_file
from mlebench.viewer.boards import CompetitionIndex
from mlebench.viewer.events import Watch, follow
from mlebench.viewer.guard import Guard, refusal
from mlebench.viewer.index import Index, NotFoundError
from mlebench.viewer.lines import StillReading
from mlebench.viewer.pages.run_views import Query, RunViews
from mlebench.viewer.places import Absent
from mlebench.viewer.previews import PreviewFailed, Readers

log = logging.getLogger(__name__)


class Application:
    """Answers requests; files are read in threads."""

    def __init__(
        self,
        root: Path,
        catalogue: Catalogue,
        guard: Guard,
        *,
        cache_dir: Path,
        only: str | None = None,
        kernels: Path | None = None,
    ) -> None:
        self.guard = guard
        self.competitions = CompetitionIndex(catalogue)
        self.index = Index(root, self.competitions, cache_dir, only=only)
        self.readers = Readers()
        self.views = RunViews(self.index, self.competitions, self.readers, kernels)
        self.static = StaticFiles()
        self._packed: tuple[str, bytes, bytes] | None = None
        self._memory: tuple[str, RunMemory] | None = None
        """The runs of the group that was requested last."""

    def prepare(self) -> None:
        """Scan the runs folder and start the fork server, before the first page asks."""
        self.index.refresh()
        self.readers.previews.start()

    def close(self) -> None:
        """Store the index and end all children."""
        self.index.close()
        self.readers.previews.stop()

    async def __call__(self, request: HttpRequest) -> HttpReply | HttpStream:
        try:
            if (judged := self.guard.judge(request)) is not None:
                return judged
            names = [unquote(name) for name in request.path.split("/")[1:]]
            query = Query(request.query)
            if names == ["api", "events"]:
                return self._events(query)
            return await asyncio.to_thread(self._answer, request, names, query)
        except (NotFoundError, Absent, PreviewFailed) as error:
            return refusal(404, str(error))
        except StillReading as error:
            return refusal(503, str(error), "try again in a moment", **{"Retry-After": "1"})
        except BenchError as error:
            return refusal(400, str(error), error.hint)
        except RecursionError:
            return refusal(400, "a record is nested too deeply to be shown")
        except Exception:
            log.exception("the viewer failed at %s", request.path[:200])
            return refusal(500, "the viewer failed at this request; its log contains the error")

    def _events(self, query: Query) -> HttpStream:
        group, _, key = query.text("run").rpartition("/")
        watch = Watch(self.index, self.readers.lines, (group, key) if group else None)
        if query.has("log"):
            watch.log = query.text("log")
        return HttpStream(follow(watch))

    def _answer(
        self, request: HttpRequest, names: list[str], query: Query
    ) -> HttpReply | HttpStream:
        match names:
            case ["api", "index"]:
                return self._index(request, query)
            case ["api", *rest]:
                return json_reply(request, encode(self._data(rest, query)))
            case ["raw", "g", group, "r", key]:
                return raw_file(self.index.run(group, key), query.text("path"))
            case ["e", *rest]:
                from mlebench.viewer.pages.episode import episode_reply

                return episode_reply(self.index.root, rest)
            case ["static", *rest]:
                found = self.static.reply(request, "/".join(rest))
                return found or refusal(404, "there is no such file")
            case ["favicon.ico"]:
                return HttpReply(204, body=b"", content_type="image/png")
        return self.static.reply(request, "index.html") or refusal(404, "the pages are missing")

    def _index(self, request: HttpRequest, query: Query) -> HttpReply:
        version = self.index.refresh()
        if query.has("since"):
            return json_reply(request, encode(self.index.as_json(query.text("since"))))
        packed = self._packed
        if packed is None or packed[0] != version:
            body = encode(self.index.as_json())
            packed = (version, body, gzip.compress(body, GZIP_LEVEL, mtime=0))
            self._packed = packed
        return json_reply(request, packed[1], packed[2])

    def _memory_of(self, group: str) -> RunMemory:
        memory = self._memory
        if memory is None or memory[0] != group:
            memory = self._memory = (group, RunMemory())
        return memory[1]

    def _data(self, names: list[str], query: Query) -> Any:
        self.index.refresh()
        match names:
            case ["g", group]:
                from mlebench.viewer.pages.group import describe_group

                found, read = self.index.group(group), self._memory_of(group)
                return describe_group(self.index, self.competitions, found, read)
            case ["g", group, "r", key]:
                return self.views.run(self.index.run(group, key))
            case ["g", group, "r", key, view]:
                if view in self.views.named:
                    return self.views.named[view](self.index.run(group, key), query)
            case ["c", name]:
                from mlebench.viewer.pages.group import describe_competition

                return describe_competition(self.index, self.competitions, name)
            case ["compare"]:
                from mlebench.viewer.pages.compare import compare_sides

                sides = [query.text(side) for side in "abcdef" if query.has(side)]
                return compare_sides(self.index, sides)
            case ["search"]:
                from mlebench.viewer.search import FullText

                return FullText(query.text("q")[:1000]).run(self.index)
        raise Absent("there is no such address")

"""Stand-ins for the APIs of OpenAI, Anthropic and Gemini: strict about requests, exact in counts.

Written from the published descriptions of the APIs and without any code of the gateway. A script
says what the model answers; every answer has its own token counts, which `counted` keeps.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from tests.gateway.provider import KEY, Handler, Provider

PIECE = 7
CHAT_FIELDS = """model messages tools tool_choice parallel_tool_calls temperature top_p n stop
max_tokens max_completion_tokens response_format seed stream stream_options store
reasoning_effort""".split()
RESPONSES_FIELDS = """model input instructions tools tool_choice parallel_tool_calls temperature
top_p max_output_tokens reasoning text stream store include prompt_cache_key""".split()
MESSAGES_FIELDS = """model messages max_tokens system tools tool_choice temperature top_p top_k
stop_sequences stream thinking context_management output_config""".split()
GEMINI_FIELDS = "contents systemInstruction tools toolConfig generationConfig".split()


@dataclass
class Reply:
    """What the model answers: texts and calls of tools as (name, arguments)."""

    text: str = ""
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    thought: str = ""
    is_cut: bool = False
    """Break the stream off after the first pieces."""


@dataclass
class Counts:
    """Tokens of one answer, by what they cost."""

    fresh: int
    output: int
    cached: int = 0
    written: int = 0
    written_1h: int = 0


class Model:
    """Answers by a script, in whatever protocol it is asked."""

    def __init__(self, provider: Provider) -> None:
        self.script: list[Reply] = []
        self.default = Reply("all done")
        self.counted: list[Counts] = []
        self.problems: list[str] = []
        self.calls = 0
        self.provider = provider
        provider.default = self.behave

    def behave(self, handler: Handler, body: dict[str, Any]) -> None:
        path, _, query = handler.path.partition("?")
        if path.endswith("/models"):
            handler.send_whole(200, b"{}")
            return
        for api in APIS:
            if api.serves(path):
                api(self, handler, body, query).answer()
                return
        self.problems.append(f"no route {handler.path}")
        handler.send_whole(404, b"{}")

    def next(self, body: dict[str, Any]) -> tuple[int, Reply, Counts]:
        """The number of this call, what to say, and what it costs."""
        with self.provider.lock:
            reply = self.script.pop(0) if self.script else self.default
            self.calls += 1
            number = self.calls
        size = len(json.dumps(body))
        said = len(reply.text) + len(json.dumps(reply.calls))
        return number, reply, Counts(101 + size // 4 + number, 11 + said // 4, 7 * number)


class Api:
    """One request to one API."""

    def __init__(self, model: Model, handler: Handler, body: dict[str, Any], query: str) -> None:
        self.model, self.handler, self.body, self.query = model, handler, body, query
        self.is_stream = bool(body.get("stream"))

    @staticmethod
    def serves(path: str) -> bool:
        raise NotImplementedError

    def problem(self) -> str | None:
        raise NotImplementedError

    def whole(self) -> dict[str, Any]:
        raise NotImplementedError

    def pieces(self) -> Iterator[tuple[str | None, Any]]:
        raise NotImplementedError

    def answer(self) -> None:
        if problem := self.problem():
            self.model.problems.append(problem)
            error = {"type": "error", "error": {"message": problem, "param": "messages"}}
            self.handler.send_whole(400, json.dumps(error).encode())
            return
        self.number, self.reply, self.counts = self.model.next(self.body)
        if not self.is_stream:
            data = json.dumps(self.whole()).encode()
            self.model.counted.append(self.counts)
            self.handler.send_whole(200, data)
            return
        self.handler.begin_stream()
        for count, (name, piece) in enumerate(self.pieces()):
            if self.reply.is_cut and count > 4:
                self.handler.cut()
                return
            head = f"event: {name}\n" if name else ""
            text = piece if isinstance(piece, str) else json.dumps(piece)
            self.handler.piece(f"{head}data: {text}\n\n".encode())
        self.model.counted.append(self.counts)
        self.handler.end_stream()

    def has_bearer(self) -> bool:
        return bool(self.handler.headers["Authorization"] == f"Bearer {KEY}")

    def call_id(self, number: int) -> str:
        return f"call_{self.number}_{number}"

    @property
    def calls(self) -> Iterator[tuple[int, str, dict[str, Any]]]:
        for number, (name, values) in enumerate(self.reply.calls):
            yield number, name, values


def cut(text: str) -> list[str]:
    """A text in pieces, few if it is long."""
    size = max(PIECE, len(text) // 50)
    return [text[start : start + size] for start in range(0, len(text), size)]


def unknown(body: dict[str, Any], known: list[str]) -> str | None:
    more = set(body) - set(known)
    return f"unrecognized arguments: {sorted(more)}" if more else None


class ChatApi(Api):
    """POST /v1/chat/completions."""

    @staticmethod
    def serves(path: str) -> bool:
        return path == "/v1/chat/completions"

    def problem(self) -> str | None:
        if not self.has_bearer():
            return "no key"
        if self.is_stream and not self.body.get("stream_options", {}).get("include_usage"):
            return "no usage asked"
        return unknown(self.body, CHAT_FIELDS) or self.bad_order()

    def bad_order(self) -> str | None:
        open_calls: list[str] = []
        for message in self.body["messages"]:
            if message["role"] == "tool":
                if message["tool_call_id"] not in open_calls:
                    return f"a result without a call: {message['tool_call_id']}"
                open_calls.remove(message["tool_call_id"])
                if not isinstance(message["content"], str):
                    return "a tool's message is text"
            elif open_calls:
                return f"calls without a result: {open_calls}"
            else:
                open_calls = [call["id"] for call in message.get("tool_calls", [])]
        return f"calls without a result: {open_calls}" if open_calls else None

    def usage(self) -> dict[str, Any]:
        used_in = self.counts.fresh + self.counts.cached
        return {
            "prompt_tokens": used_in,
            "completion_tokens": self.counts.output,
            "total_tokens": used_in + self.counts.output,
            "prompt_tokens_details": {"cached_tokens": self.counts.cached},
        }

    def facts(self, kind: str) -> dict[str, Any]:
        name = f"chatcmpl-{self.number}"
        return {"id": name, "object": kind, "created": 1, "model": self.body["model"]}

    def finish(self) -> str:
        return "tool_calls" if self.reply.calls else "stop"

    def whole(self) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": self.reply.text or None}
        if self.reply.thought:
            message["reasoning_content"] = self.reply.thought
        if self.reply.calls:
            message["tool_calls"] = [
                {
                    "id": self.call_id(number),
                    "type": "function",
                    "function": {"name": name, "arguments": json.dumps(values)},
                }
                for number, name, values in self.calls
            ]
        choice = {"index": 0, "message": message, "finish_reason": self.finish()}
        return {**self.facts("chat.completion"), "choices": [choice], "usage": self.usage()}

    def pieces(self) -> Iterator[tuple[str | None, Any]]:
        facts = self.facts("chat.completion.chunk")

        def chunk(delta: dict[str, Any], finish: str | None = None) -> tuple[None, Any]:
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            return None, {**facts, "choices": [choice]}

        yield chunk({"role": "assistant", "content": ""})
        for text in cut(self.reply.thought):
            yield chunk({"reasoning_content": text, "content": None})
        for text in cut(self.reply.text):
            yield chunk({"content": text})
        for number, name, values in self.calls:
            function = {"name": name, "arguments": ""}
            first = {"index": number, "id": self.call_id(number), "type": "function"}
            yield chunk({"tool_calls": [{**first, "function": function}]})
            for text in cut(json.dumps(values)):
                yield chunk({"tool_calls": [{"index": number, "function": {"arguments": text}}]})
        yield chunk({}, self.finish())
        yield None, {**facts, "choices": [], "usage": self.usage()}
        yield None, "[DONE]"


class ResponsesApi(Api):
    """POST /v1/responses."""

    @staticmethod
    def serves(path: str) -> bool:
        return path == "/v1/responses"

    def problem(self) -> str | None:
        if not self.has_bearer():
            return "no key"
        if self.body.get("store") is not False:
            return "stored"
        if problem := unknown(self.body, RESPONSES_FIELDS):
            return problem
        items = self.body["input"] if isinstance(self.body["input"], list) else []
        for kind in ("function_call", "custom_tool_call"):
            calls = [item["call_id"] for item in items if item.get("type") == kind]
            results = [i["call_id"] for i in items if i.get("type") == f"{kind}_output"]
            if calls != results and sorted(calls) != sorted(results):
                return f"calls {calls} and results {results}"
        return None

    def customs(self) -> set[str]:
        return {tool["name"] for tool in self.body.get("tools", []) if tool["type"] == "custom"}

    def items(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        if self.reply.thought:
            summary = [{"type": "summary_text", "text": self.reply.thought}]
            facts = {"type": "reasoning", "id": "rs_1", "encrypted_content": "c2ln"}
            found.append({**facts, "summary": summary})
        if self.reply.text:
            part = {"type": "output_text", "text": self.reply.text, "annotations": []}
            facts = {"type": "message", "id": "msg_1", "status": "completed", "role": "assistant"}
            found.append({**facts, "content": [part]})
        for number, name, values in self.calls:
            facts = {"id": f"fc_{number}", "call_id": self.call_id(number), "name": name}
            if name in self.customs():
                found.append({"type": "custom_tool_call", **facts, "input": values["input"]})
            else:
                arguments = json.dumps(values)
                found.append({"type": "function_call", **facts, "arguments": arguments})
        return found

    def whole(self) -> dict[str, Any]:
        used_in = self.counts.fresh + self.counts.cached
        return {
            "id": f"resp_{self.number}",
            "object": "response",
            "created_at": 1,
            "status": "completed",
            "error": None,
            "incomplete_details": None,
            "model": self.body["model"],
            "output": self.items(),
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "usage": {
                "input_tokens": used_in,
                "input_tokens_details": {"cached_tokens": self.counts.cached},
                "output_tokens": self.counts.output,
                "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": used_in + self.counts.output,
            },
        }

    def pieces(self) -> Iterator[tuple[str | None, Any]]:
        for number, (kind, facts) in enumerate(self.events()):
            name = f"response.{kind}"
            yield name, {"type": name, "sequence_number": number, **facts}

    def events(self) -> Iterator[tuple[str, dict[str, Any]]]:
        whole = self.whole()
        start = {"response": whole | {"status": "in_progress", "output": [], "usage": None}}
        yield "created", start
        yield "in_progress", start
        for place, item in enumerate(self.items()):
            yield from self.item_events(place, item)
        yield "completed", {"response": whole}

    def item_events(self, place: int, item: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        where = {"output_index": place, "item_id": item["id"]}
        empty: dict[str, dict[str, Any]] = {
            "message": {"content": []},
            "function_call": {"arguments": ""},
            "reasoning": {"summary": [], "encrypted_content": ""},
        }
        added = item | empty.get(item["type"], {"input": ""})
        yield "output_item.added", {"output_index": place, "item": added}
        if item["type"] == "message":
            text = item["content"][0]["text"]
            inside = {**where, "content_index": 0}
            part = {"type": "output_text", "text": "", "annotations": []}
            yield "content_part.added", {**inside, "part": part}
            for piece in cut(text):
                yield "output_text.delta", {**inside, "delta": piece, "logprobs": []}
            yield "output_text.done", {**inside, "text": text, "logprobs": []}
            yield "content_part.done", {**inside, "part": part | {"text": text}}
        elif item["type"] == "reasoning":
            text = item["summary"][0]["text"]
            inside = {**where, "summary_index": 0}
            for piece in cut(text):
                yield "reasoning_summary_text.delta", {**inside, "delta": piece}
            yield "reasoning_summary_text.done", {**inside, "text": text}
        else:
            is_custom = item["type"] == "custom_tool_call"
            name = "custom_tool_call_input" if is_custom else "function_call_arguments"
            field_name = "input" if is_custom else "arguments"
            for piece in cut(item[field_name]):
                yield f"{name}.delta", {**where, "delta": piece}
            done = {**where, field_name: item[field_name]}
            yield f"{name}.done", done if is_custom else {**done, "name": item["name"]}
        yield "output_item.done", {"output_index": place, "item": item}


class MessagesApi(Api):
    """POST /v1/messages and /v1/messages/count_tokens."""

    @staticmethod
    def serves(path: str) -> bool:
        return path.startswith("/v1/messages")

    def problem(self) -> str | None:
        headers = self.handler.headers
        if headers["x-api-key"] != KEY or headers["Authorization"]:
            return "no key"
        if headers["anthropic-version"] != "2023-06-01":
            return "no version"
        if problem := unknown(self.body, MESSAGES_FIELDS):
            return problem
        if "count_tokens" not in self.handler.path and not isinstance(
            self.body.get("max_tokens"), int
        ):
            return "no max_tokens"
        if self.body.get("temperature", 0) > 1:
            return "temperature above 1"
        return self.bad_order()

    def bad_order(self) -> str | None:
        turns = [message for message in self.body["messages"] if message["role"] != "system"]
        betas = self.handler.headers["anthropic-beta"] or ""
        if len(turns) < len(self.body["messages"]) and "mid-conversation-system" not in betas:
            return "unexpected role system"
        if not turns or turns[0]["role"] != "user":
            return "the first message is the user's"
        for one, other in pairwise(turns):
            if one["role"] == other["role"]:
                return "roles alternate"
        for number, message in enumerate(turns):
            if isinstance(message["content"], str):
                continue
            if problem := self.bad_blocks(message["content"]):
                return problem
            calls = [block["id"] for block in message["content"] if block["type"] == "tool_use"]
            answer = turns[number + 1]["content"] if number + 1 < len(turns) else []
            first = [block.get("tool_use_id") for block in answer[: len(calls)]]
            if sorted(map(str, first)) != sorted(calls):
                return f"calls {calls} without results {first}"
        return None

    @staticmethod
    def bad_blocks(blocks: list[dict[str, Any]]) -> str | None:
        for block in blocks:
            if block["type"] == "text" and not block["text"].strip():
                return "an empty text"
            if block["type"] == "thinking" and not block.get("signature"):
                return "a thought without signature"
            if block["type"] == "tool_use" and not isinstance(block["input"], dict):
                return "an input that is no object"
        return None

    def answer(self) -> None:
        if "count_tokens" in self.handler.path and not self.problem():
            self.handler.send_whole(200, b'{"input_tokens": 321}')
            return
        super().answer()

    def blocks(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        if self.reply.thought:
            thought = {"type": "thinking", "thinking": self.reply.thought, "signature": "c2ln"}
            found.append(thought)
        if self.reply.text:
            found.append({"type": "text", "text": self.reply.text})
        for number, name, values in self.calls:
            call = {"type": "tool_use", "id": self.call_id(number), "name": name}
            found.append({**call, "input": values})
        return found

    def usage(self) -> dict[str, Any]:
        counts = self.counts
        if "cache_control" in json.dumps(self.body):
            counts.written, counts.written_1h = 50 + self.number, 20
        return {
            "input_tokens": counts.fresh,
            "cache_read_input_tokens": counts.cached,
            "cache_creation_input_tokens": counts.written,
            "cache_creation": {
                "ephemeral_5m_input_tokens": counts.written - counts.written_1h,
                "ephemeral_1h_input_tokens": counts.written_1h,
            },
            "output_tokens": counts.output,
        }

    def whole(self) -> dict[str, Any]:
        return {
            "id": f"msg_{self.number}",
            "type": "message",
            "role": "assistant",
            "model": self.body["model"],
            "content": self.blocks(),
            "stop_reason": "tool_use" if self.reply.calls else "end_turn",
            "stop_sequence": None,
            "usage": self.usage(),
        }

    def pieces(self) -> Iterator[tuple[str | None, Any]]:
        for piece in self.events():
            yield piece["type"], piece

    def events(self) -> Iterator[dict[str, Any]]:
        whole = self.whole()
        usage = whole["usage"] | {"output_tokens": 1}
        start = whole | {"content": [], "stop_reason": None, "usage": usage}
        yield {"type": "message_start", "message": start}
        yield {"type": "ping"}
        for index, block in enumerate(whole["content"]):
            yield from self.block_events(index, block)
        end = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
        usage = {"output_tokens": self.counts.output}
        yield {"type": "message_delta", "delta": end, "usage": usage}
        yield {"type": "message_stop"}

    @staticmethod
    def block_events(index: int, block: dict[str, Any]) -> Iterator[dict[str, Any]]:
        deltas: list[dict[str, Any]]
        if block["type"] == "tool_use":
            first = block | {"input": {}}
            texts = cut(json.dumps(block["input"]))
            deltas = [{"type": "input_json_delta", "partial_json": text} for text in texts]
        elif block["type"] == "thinking":
            first = {"type": "thinking", "thinking": "", "signature": ""}
            texts = cut(block["thinking"])
            deltas = [{"type": "thinking_delta", "thinking": text} for text in texts]
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
        else:
            first = {"type": "text", "text": ""}
            deltas = [{"type": "text_delta", "text": text} for text in cut(block["text"])]
        yield {"type": "content_block_start", "index": index, "content_block": first}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}


class GeminiApi(Api):
    """POST /v1beta/models/MODEL:generateContent and its relatives."""

    def __init__(self, model: Model, handler: Handler, body: dict[str, Any], query: str) -> None:
        super().__init__(model, handler, body, query)
        self.is_stream = ":streamGenerateContent" in handler.path

    @staticmethod
    def serves(path: str) -> bool:
        return path.startswith("/v1beta/models/stand-in:")

    def problem(self) -> str | None:
        if self.handler.headers["x-goog-api-key"] != KEY or self.handler.headers["Authorization"]:
            return "no key"
        if self.is_stream and self.query != "alt=sse":
            return "no sse"
        if problem := unknown(self.body, GEMINI_FIELDS):
            return problem
        waiting = 0
        for content in self.body["contents"]:
            parts = content["parts"]
            if not parts or content["role"] not in ("user", "model"):
                return "an empty content"
            results = [part for part in parts if "functionResponse" in part]
            if len(results) != waiting:
                return f"{waiting} calls and {len(results)} results"
            calls = [part for part in parts if "functionCall" in part]
            if calls and "thoughtSignature" not in calls[0]:
                return "a call without signature"
            waiting = len(calls)
        return None

    def answer(self) -> None:
        if ":countTokens" in self.handler.path:
            self.handler.send_whole(200, b'{"totalTokens": 321}')
            return
        super().answer()

    def usage(self) -> dict[str, Any]:
        counts = self.counts
        thought = counts.output // 3
        return {
            "promptTokenCount": counts.fresh + counts.cached,
            "cachedContentTokenCount": counts.cached,
            "candidatesTokenCount": counts.output - thought,
            "thoughtsTokenCount": thought,
            "totalTokenCount": counts.fresh + counts.cached + counts.output,
        }

    def piece(self, parts: list[dict[str, Any]], *, is_last: bool = False) -> dict[str, Any]:
        candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
        if is_last:
            candidate["finishReason"] = "STOP"
        facts = {"modelVersion": "stand-in", "responseId": f"r{self.number}"}
        return {"candidates": [candidate], "usageMetadata": self.usage(), **facts}

    def call_parts(self) -> list[dict[str, Any]]:
        return [
            {"functionCall": {"name": name, "args": values}, "thoughtSignature": "c2ln"}
            for _, name, values in self.calls
        ]

    def whole(self) -> dict[str, Any]:
        texts: list[dict[str, Any]] = [{"text": self.reply.text}] if self.reply.text else []
        if self.reply.thought:
            texts.insert(0, {"text": self.reply.thought, "thought": True})
        return self.piece([*texts, *self.call_parts()], is_last=True)

    def pieces(self) -> Iterator[tuple[str | None, Any]]:
        for text in cut(self.reply.thought):
            yield None, self.piece([{"text": text, "thought": True}])
        for text in cut(self.reply.text):
            yield None, self.piece([{"text": text}])
        for part in self.call_parts():
            yield None, self.piece([part])
        yield None, self.piece([{"text": ""}], is_last=True)


APIS: tuple[type[Api], ...] = (ChatApi, ResponsesApi, MessagesApi, GeminiApi)

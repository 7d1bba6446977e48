"""Agents of each protocol, small: they keep a conversation and answer the model's tool calls."""

from __future__ import annotations

import json
from typing import Any

from tests.gateway.conftest import Run

IMAGE = "iVBORw0KGgo="
SCHEMA = {"type": "object", "properties": {"x": {"type": "string"}}}


class Talker:
    """One conversation through a run's endpoint."""

    path = ""
    header = ""

    def __init__(self, run: Run, *, is_stream: bool) -> None:
        self.run, self.is_stream = run, is_stream
        self.history: list[Any] = []
        self.status = 0
        self.events: list[tuple[str | None, Any]] = []

    def ask(self) -> dict[str, Any]:
        """The whole answer to the conversation so far, which becomes part of it."""
        path, body = self.request()
        prefix = "Bearer " if self.header == "Authorization" else ""
        headers = {self.header: prefix + self.run.key, "anthropic-version": "2023-06-01"}
        self.status, answer = self.run.ask(path, body, headers=headers)
        if self.status != 200:
            return dict(answer)
        if self.is_stream:
            self.events = read_events(answer)
            answer = self.joined()
        self.remember(answer)
        return dict(answer)

    def request(self) -> tuple[str, dict[str, Any]]:
        raise NotImplementedError

    def joined(self) -> dict[str, Any]:
        raise NotImplementedError

    def remember(self, answer: dict[str, Any]) -> None:
        raise NotImplementedError

    def say(self, text: str, *, has_image: bool = False) -> None:
        raise NotImplementedError

    def calls(self, answer: dict[str, Any]) -> list[tuple[str, dict[str, Any], str]]:
        """Name, arguments and id of each call in an answer."""
        raise NotImplementedError

    def text(self, answer: dict[str, Any]) -> str:
        raise NotImplementedError

    def results(self, results: list[tuple[str, str, str]]) -> None:
        """The results of calls: name, id and text."""
        raise NotImplementedError

    def work(self, first: str, output: str = "done") -> list[tuple[str, dict[str, Any]]]:
        """Ask until the model calls no tool; returns its calls."""
        self.say(first, has_image=True)
        found: list[tuple[str, dict[str, Any]]] = []
        while True:
            answer = self.ask()
            if self.status != 200:
                return found
            calls = self.calls(answer)
            found += [(name, values) for name, values, _ in calls]
            if not calls:
                return found
            self.results([(name, place, f"{output} {name}") for name, _, place in calls])


def read_events(text: str) -> list[tuple[str | None, Any]]:
    """The events of a stream, the data as JSON where it is."""
    found: list[tuple[str | None, Any]] = []
    for block in text.split("\n\n"):
        lines = [line.split(": ", 1) for line in block.split("\n") if line]
        facts = dict(line for line in lines if len(line) == 2)
        if "data" in facts:
            data = facts["data"]
            found.append((facts.get("event"), data if data == "[DONE]" else json.loads(data)))
    return found


class ChatTalker(Talker):
    header = "Authorization"

    def request(self) -> tuple[str, dict[str, Any]]:
        function = {"name": "run", "description": "Runs.", "parameters": SCHEMA}
        other = {"name": "look", "parameters": SCHEMA}
        tools = [{"type": "function", "function": f} for f in (function, other)]
        body = {"model": "stand-in", "messages": self.history, "tools": tools}
        if self.is_stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        return "/v1/chat/completions", body

    def joined(self) -> dict[str, Any]:
        assert self.events[-1][1] == "[DONE]"
        text, calls, finish, usage = "", {}, None, None
        for _, piece in self.events[:-1]:
            usage = piece.get("usage") or usage
            for choice in piece["choices"]:
                text += choice["delta"].get("content") or ""
                finish = choice["finish_reason"] or finish
                for part in choice["delta"].get("tool_calls", []):
                    call = calls.setdefault(part["index"], {"arguments": ""})
                    call |= {k: part[k] for k in ("id",) if part.get(k)}
                    call["name"] = part["function"].get("name") or call.get("name")
                    call["arguments"] += part["function"].get("arguments") or ""
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if calls:
            message["tool_calls"] = [
                {
                    "id": call["id"],
                    "type": "function",
                    "function": {"name": call["name"], "arguments": call["arguments"]},
                }
                for call in calls.values()
            ]
        assert finish == ("tool_calls" if calls else "stop")
        return {"choices": [{"message": message}], "usage": usage}

    def remember(self, answer: dict[str, Any]) -> None:
        self.history.append(answer["choices"][0]["message"])

    def say(self, text: str, *, has_image: bool = False) -> None:
        if not self.history:
            self.history.append({"role": "system", "content": "be brief"})
        content: Any = text
        if has_image:
            url = {"url": f"data:image/png;base64,{IMAGE}"}
            content = [{"type": "text", "text": text}, {"type": "image_url", "image_url": url}]
        self.history.append({"role": "user", "content": content})

    def calls(self, answer: dict[str, Any]) -> list[tuple[str, dict[str, Any], str]]:
        calls = answer["choices"][0]["message"].get("tool_calls") or []
        return [
            (c["function"]["name"], json.loads(c["function"]["arguments"]), c["id"]) for c in calls
        ]

    def text(self, answer: dict[str, Any]) -> str:
        return answer["choices"][0]["message"]["content"] or ""

    def results(self, results: list[tuple[str, str, str]]) -> None:
        for _, place, text in results:
            self.history.append({"role": "tool", "tool_call_id": place, "content": text})


class ResponsesTalker(Talker):
    header = "Authorization"
    customs: tuple[str, ...] = ()

    def request(self) -> tuple[str, dict[str, Any]]:
        tools: list[dict[str, Any]] = [
            {"type": "custom", "name": name}
            if name in self.customs
            else {"type": "function", "name": name, "parameters": SCHEMA}
            for name in ("run", "look")
        ]
        body = {"model": "stand-in", "input": self.history, "tools": tools}
        body |= {"instructions": "be brief", "store": False, "prompt_cache_key": "k"}
        if self.is_stream:
            body["stream"] = True
        return "/v1/responses", body

    def joined(self) -> dict[str, Any]:
        kinds = [name for name, _ in self.events]
        assert kinds[0] == "response.created" and kinds[-1] == "response.completed"
        numbers = [piece["sequence_number"] for _, piece in self.events]
        assert numbers == list(range(len(numbers)))
        whole = self.events[-1][1]["response"]
        done = [piece["item"] for name, piece in self.events if name == "response.output_item.done"]
        assert done == whole["output"]
        said = "".join(p["delta"] for n, p in self.events if n == "response.output_text.delta")
        assert said == self.text(whole)
        return dict(whole)

    def remember(self, answer: dict[str, Any]) -> None:
        self.history += answer["output"]

    def say(self, text: str, *, has_image: bool = False) -> None:
        content = [{"type": "input_text", "text": text}]
        if has_image:
            url = f"data:image/png;base64,{IMAGE}"
            content.append({"type": "input_image", "image_url": url})
        self.history.append({"type": "message", "role": "user", "content": content})

    def calls(self, answer: dict[str, Any]) -> list[tuple[str, dict[str, Any], str]]:
        found = []
        for item in answer["output"]:
            if item["type"] == "function_call":
                found.append((item["name"], json.loads(item["arguments"]), item["call_id"]))
            elif item["type"] == "custom_tool_call":
                assert item["name"] in self.customs
                found.append((item["name"], {"input": item["input"]}, item["call_id"]))
        return found

    def text(self, answer: dict[str, Any]) -> str:
        items = [item for item in answer["output"] if item["type"] == "message"]
        return "".join(part["text"] for item in items for part in item["content"])

    def results(self, results: list[tuple[str, str, str]]) -> None:
        for name, place, text in results:
            kind = "custom_tool_call" if name in self.customs else "function_call"
            result = {"type": f"{kind}_output", "call_id": place, "output": text}
            self.history.append(result)


class MessagesTalker(Talker):
    header = "x-api-key"

    def request(self) -> tuple[str, dict[str, Any]]:
        tools = [{"name": name, "input_schema": SCHEMA} for name in ("run", "look")]
        cache = {"type": "ephemeral", "ttl": "1h"}
        system = [{"type": "text", "text": "be brief", "cache_control": cache}]
        body: dict[str, Any] = {
            "model": "stand-in",
            "max_tokens": 5000,
            "messages": self.history,
            "system": system,
            "tools": tools,
            "metadata": {"user_id": "me"},
        }
        if self.is_stream:
            body["stream"] = True
        return "/v1/messages?beta=true", body

    def joined(self) -> dict[str, Any]:
        kinds = [name for name, _ in self.events]
        assert (kinds[0], kinds[-2:]) == ("message_start", ["message_delta", "message_stop"])
        message = dict(self.events[0][1]["message"])
        blocks: dict[int, dict[str, Any]] = {}
        for name, piece in self.events:
            assert name == piece["type"]
            if name == "content_block_start":
                blocks[piece["index"]] = dict(piece["content_block"]) | {"json": ""}
            elif name == "content_block_delta":
                block, delta = blocks[piece["index"]], piece["delta"]
                for key in ("text", "thinking", "signature"):
                    if key in delta:
                        block[key] += delta[key]
                block["json"] += delta.get("partial_json", "")
            elif name == "message_delta":
                message |= piece["delta"]
                message["usage"] = message["usage"] | piece["usage"]
        assert kinds.count("content_block_stop") == len(blocks)
        for block in blocks.values():
            if text := block.pop("json"):
                block["input"] = json.loads(text)
        message["content"] = [block for _, block in sorted(blocks.items())]
        return message

    def remember(self, answer: dict[str, Any]) -> None:
        is_tools = any(block["type"] == "tool_use" for block in answer["content"])
        assert answer["stop_reason"] == ("tool_use" if is_tools else "end_turn")
        self.history.append({"role": "assistant", "content": answer["content"]})

    def say(self, text: str, *, has_image: bool = False) -> None:
        content: list[dict[str, Any]] = [{"type": "text", "text": text}]
        if has_image:
            source = {"type": "base64", "media_type": "image/png", "data": IMAGE}
            content.append({"type": "image", "source": source})
        self.history.append({"role": "user", "content": content})

    def calls(self, answer: dict[str, Any]) -> list[tuple[str, dict[str, Any], str]]:
        blocks = [block for block in answer["content"] if block["type"] == "tool_use"]
        return [(block["name"], block["input"], block["id"]) for block in blocks]

    def text(self, answer: dict[str, Any]) -> str:
        return "".join(b["text"] for b in answer["content"] if b["type"] == "text")

    def results(self, results: list[tuple[str, str, str]]) -> None:
        blocks = [
            {"type": "tool_result", "tool_use_id": place, "content": text}
            for _, place, text in results
        ]
        self.history.append({"role": "user", "content": blocks})


class GeminiTalker(Talker):
    header = "x-goog-api-key"

    def request(self) -> tuple[str, dict[str, Any]]:
        declared = [{"name": name, "parametersJsonSchema": SCHEMA} for name in ("run", "look")]
        body = {
            "contents": self.history,
            "systemInstruction": {"parts": [{"text": "be brief"}]},
            "tools": [{"functionDeclarations": declared}],
            "generationConfig": {"maxOutputTokens": 5000, "temperature": 0.5},
        }
        action = "streamGenerateContent?alt=sse" if self.is_stream else "generateContent"
        return f"/v1beta/models/stand-in:{action}", body

    def joined(self) -> dict[str, Any]:
        parts: list[dict[str, Any]] = []
        for _, piece in self.events:
            for part in piece["candidates"][0]["content"]["parts"]:
                last = parts[-1] if parts else {}
                if "text" in part and "text" in last and last.get("thought") == part.get("thought"):
                    parts[-1] = last | {"text": last["text"] + part["text"]}
                elif part.get("text") != "":
                    parts.append(part)
        last = self.events[-1][1]
        assert last["candidates"][0]["finishReason"] == "STOP"
        content = {"role": "model", "parts": parts}
        return last | {"candidates": [{"content": content, "finishReason": "STOP"}]}

    def remember(self, answer: dict[str, Any]) -> None:
        self.history.append(answer["candidates"][0]["content"])

    def say(self, text: str, *, has_image: bool = False) -> None:
        parts: list[dict[str, Any]] = [{"text": text}]
        if has_image:
            parts.append({"inlineData": {"mimeType": "image/png", "data": IMAGE}})
        self.history.append({"role": "user", "parts": parts})

    def calls(self, answer: dict[str, Any]) -> list[tuple[str, dict[str, Any], str]]:
        parts = answer["candidates"][0]["content"]["parts"]
        found = [part["functionCall"] for part in parts if "functionCall" in part]
        return [(call["name"], call["args"], call.get("id", "")) for call in found]

    def text(self, answer: dict[str, Any]) -> str:
        parts = answer["candidates"][0]["content"]["parts"]
        return "".join(p["text"] for p in parts if "text" in p and not p.get("thought"))

    def results(self, results: list[tuple[str, str, str]]) -> None:
        parts = []
        for name, place, text in results:
            facts = {"name": name, "response": {"output": text}}
            parts.append({"functionResponse": facts | ({"id": place} if place else {})})
        self.history.append({"role": "user", "parts": parts})


TALKERS: dict[str, type[Talker]] = {
    "chat": ChatTalker,
    "responses": ResponsesTalker,
    "messages": MessagesTalker,
    "gemini": GeminiTalker,
}

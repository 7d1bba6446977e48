"""Train a small language model with GRPO on a starter task, to show that episodes can teach.

    python scripts/train_grpo.py --model MODEL --updates 50 --out results

MODEL is a folder that `transformers` can load, or a GGUF file. In each update it writes a group of
programs for one task; each program runs in an episode of `mlebench.gym`, whose hold-out is scored,
and the rewards, relative to those of the group, weigh the log-probabilities of the tokens.
`results/grpo.json` has what was seen. With a learning rate of 0 nothing is learnt, which shows how
much the rates vary by luck. Torch and transformers (for GGUF files also gguf and accelerate) are
needed; they are no dependencies of the package.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import re
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch

from mlebench.catalogue import Catalogue
from mlebench.errors import SandboxError
from mlebench.gym import Episode, EpisodeLimits, Run, Services, Submit
from mlebench.preparing.options import PrepareOptions
from mlebench.preparing.prepare import ensure_prepared

FOLDER, SAVE = "/home/data/", "/home/submission/submission.csv"
READ = "sample_submission.csv"
EXAMPLES = (
    ("train.csv", "/home/code/train_part.csv"),
    ("first_output.txt", "/home/agent/second_output.txt"),
    ("test.csv", "/home/submission/test_rows.csv"),
)
FENCE = "```"
OPENING = f"{FENCE}python\nimport shutil\nshutil.copy('{FOLDER}"
"""Every answer begins so."""

BLOCK = re.compile(rf"{FENCE}(?:python|py)?[ \t]*\n(.*?)(?:{FENCE}|\Z)", re.DOTALL)
COPY = f"import shutil\nshutil.copy('{FOLDER}{READ}', '{SAVE}')\n"
"""Of which any working machine must say that it is valid."""

COMPARED = 10
"""So many updates at the start are compared with as many at the end."""


@dataclass(frozen=True)
class Settings:
    """What a run was asked for."""

    competition: str
    updates: int
    group: int
    shots: int
    tokens: int
    learning_rate: float
    temperature: float
    seconds: float
    sandbox: str
    seed: int


@dataclass(frozen=True)
class Update:
    """What one update saw."""

    number: int
    valid: int
    graded: int
    reward: float
    generating_seconds: float
    running_seconds: float
    learning_seconds: float


@dataclass
class Ground:
    """Where programs are tried."""

    settings: Settings
    catalogue: Catalogue
    services: Services
    seeds: int = field(default=0)

    async def attempt(self, code: str) -> tuple[bool, float] | None:
        """Whether a program made a valid submission, and its reward; None if the machine failed."""
        self.seeds += 1
        episode = Episode(
            self.settings.competition,
            seed=self.seeds,
            limits=EpisodeLimits(steps=3, run_seconds=60, memory_bytes=2 << 30, disk_bytes=1 << 26),
            reward="normalised+valid",
            catalogue=self.catalogue,
            services=self.services,
        )
        try:
            await episode.reset()
            await episode.step(Run(code=code))
            result = await episode.step(Submit())
        except SandboxError:
            return None
        finally:
            await episode.close()
        if result.reward is None or result.info["blame"] == "infrastructure":
            return None
        return result.observation.validation == "valid", result.reward


def conversation(shots: int) -> list[dict[str, str]]:
    """The task, after some examples with other files."""
    messages = []
    for source, target in [*EXAMPLES[:shots], (READ, SAVE)]:
        task = f"Copy the file '{FOLDER}{source}' to '{target}'."
        messages.append({"role": "user", "content": task})
        answer = f"{OPENING}{source}', '{target}')\n{FENCE}"
        messages.append({"role": "assistant", "content": answer})
    return messages[:-1]


def code_of(text: str) -> str:
    """The program in an answer: its first block, or all of it."""
    found = BLOCK.search(text)
    return found.group(1) if found else text


class Policy:
    """The model that writes programs."""

    def __init__(self, model: Path, settings: Settings) -> None:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self.settings = settings
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        place, options = (model, {})
        if model.suffix == ".gguf":
            place, options = model.parent, {"gguf_file": model.name}
        self.tokenizer: Any = AutoTokenizer.from_pretrained(place, **options)
        self.model: Any = AutoModelForCausalLM.from_pretrained(
            place, dtype=torch.float32, **options
        )
        self.model.to(self.device).eval()
        # Weights stay in full precision; products are computed in half of it on a GPU.
        self.precision = torch.autocast(
            self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"
        )
        self.optimizer = torch.optim.AdamW(
            self.model.parameters(), lr=settings.learning_rate, weight_decay=0.0
        )
        self.end = int(self.tokenizer.eos_token_id)
        fence = self.tokenizer(FENCE, add_special_tokens=False)["input_ids"]
        self.ends = torch.tensor([self.end, *fence[:1]], device=self.device)
        """An answer ends with its block."""

        text = self.tokenizer.apply_chat_template(
            conversation(settings.shots), add_generation_prompt=True, tokenize=False
        )
        found = self.tokenizer(text + OPENING, return_tensors="pt", add_special_tokens=False)
        self.prompt = found["input_ids"].to(self.device)

    def _read_prompt(self, count: int) -> tuple[torch.Tensor, Any]:
        """The logits after the prompt, and its cache for some answers: it is read only once."""
        with self.precision:
            out = self.model(input_ids=self.prompt, use_cache=True)
        out.past_key_values.batch_repeat_interleave(count)
        return out.logits[:, -1:].expand(count, -1, -1), out.past_key_values

    def generate(self) -> torch.Tensor:
        """A group of answers, each filled with the end token after its end."""
        with torch.no_grad():
            return self._sample()

    def _sample(self) -> torch.Tensor:
        count = self.settings.group
        logits, cache = self._read_prompt(count)
        is_open = torch.ones(count, dtype=torch.bool, device=self.device)
        answers = []
        for place in range(self.settings.tokens):
            scores = logits[:, -1].float() / self.settings.temperature
            drawn = torch.multinomial(scores.softmax(-1), 1)[:, 0]
            answers.append(torch.where(is_open, drawn, self.end))
            is_open &= ~torch.isin(drawn, self.ends)
            if place + 1 == self.settings.tokens or not bool(is_open.any()):
                break
            with self.precision:
                out = self.model(
                    input_ids=answers[-1][:, None], past_key_values=cache, use_cache=True
                )
            logits, cache = out.logits, out.past_key_values
        return torch.stack(answers, 1)

    def texts(self, answers: torch.Tensor) -> list[str]:
        found = self.tokenizer.batch_decode(answers, skip_special_tokens=True)
        return [OPENING + text for text in found]

    def learn(self, answers: torch.Tensor, advantages: torch.Tensor) -> None:
        """One step on the policy gradient; every token of an answer has its advantage."""
        used = advantages.abs() > 0
        if not bool(used.any()) or not self.settings.learning_rate:
            return
        answers, advantages = answers[used], advantages[used].to(self.device)
        is_end = torch.isin(answers, self.ends).long()
        mask = ((is_end.cumsum(1) - is_end) == 0).float()
        first, cache = self._read_prompt(len(answers))
        with self.precision:
            out = self.model(input_ids=answers[:, :-1], past_key_values=cache, use_cache=True)
        logits = torch.cat([first, out.logits], 1)
        scores = (logits.float() / self.settings.temperature).log_softmax(-1)
        chosen = scores.gather(-1, answers[..., None])[..., 0]
        loss = -(chosen * mask * advantages[:, None]).sum() / mask.sum()
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()


def advantages_of(rewards: list[float | None]) -> torch.Tensor:
    """Rewards relative to the mean of the group; lost episodes count for nothing."""
    known = torch.tensor([value for value in rewards if value is not None])
    if len(known) < 2 or float(known.std()) < 1e-8:
        return torch.zeros(len(rewards))
    mean, spread = float(known.mean()), float(known.std())
    return torch.tensor([0.0 if v is None else (v - mean) / (spread + 1e-6) for v in rewards])


def rise(updates: list[Update]) -> dict[str, float]:
    """The rates of the first and the last updates, and the chance of such a rise by luck.

    Fisher's exact test, one-sided: of all ways to deal the valid answers to both parts, the share
    with at least as many in the last part.
    """
    first, last = updates[:COMPARED], updates[-COMPARED:]
    a, n = sum(u.valid for u in first), sum(u.graded for u in first)
    b, m = sum(u.valid for u in last), sum(u.graded for u in last)
    if not n or not m:
        return {"first_rate": math.nan, "last_rate": math.nan, "p": 1.0}
    ways = sum(math.comb(m, k) * math.comb(n, a + b - k) for k in range(b, min(m, a + b) + 1))
    return {"first_rate": a / n, "last_rate": b / m, "p": ways / math.comb(n + m, a + b)}


async def improve(policy: Policy, ground: Ground, number: int) -> tuple[Update, str]:
    """One update: a group of answers, their episodes, a step of the optimizer."""
    start = time.monotonic()
    answers = policy.generate()
    texts = policy.texts(answers)
    generated = time.monotonic()
    results = await asyncio.gather(*(ground.attempt(code_of(text)) for text in texts))
    ran = time.monotonic()
    policy.learn(answers, advantages_of([result and result[1] for result in results]))
    known = [result for result in results if result is not None]
    update = Update(
        number,
        sum(valid for valid, _ in known),
        len(known),
        round(sum(reward for _, reward in known) / max(1, len(known)), 4),
        round(generated - start, 3),
        round(ran - generated, 3),
        round(time.monotonic() - ran, 3),
    )
    return update, texts[0]


async def train(settings: Settings, model: Path, catalogue: Catalogue, out: Path) -> None:
    """All updates, as long as the time lasts; what was seen is written after each of them."""
    began = time.monotonic()
    torch.manual_seed(settings.seed)
    async with Services(settings.sandbox) as services:
        ground = Ground(settings, catalogue, services)
        check = await ground.attempt(COPY)
        if check is None or not check[0]:
            raise SystemExit(f"a copy of the sample submission is not valid here: {check}")
        policy = Policy(model, settings)
        print(f"model on {policy.device} after {time.monotonic() - began:.1f} s", flush=True)
        updates: list[Update] = []
        for number in range(1, settings.updates + 1):
            update, example = await improve(policy, ground, number)
            updates.append(update)
            seconds = time.monotonic() - began
            print(json.dumps({**asdict(update), "example": example}), flush=True)
            write(out, settings, updates, seconds=seconds, example=example)
            if seconds > settings.seconds:
                print("the time is over", flush=True)
                break
        print(json.dumps(rise(updates)), flush=True)


def write(
    out: Path, settings: Settings, updates: list[Update], *, seconds: float, example: str
) -> None:
    record = {
        "schema": 2,
        "settings": asdict(settings),
        "device": torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu",
        "seconds": round(seconds, 1),
        "processor_seconds": round(time.process_time(), 1),
        "updates": [asdict(update) for update in updates],
        "rise": rise(updates),
        "last_example": example,
    }
    out.mkdir(parents=True, exist_ok=True)
    (out / "grpo.json").write_text(json.dumps(record, indent=1), "utf-8")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("grpo"))
    parser.add_argument("--data-dir", type=Path, default=Path("grpo-data"))
    parser.add_argument("--competition", default="starter-wine")
    parser.add_argument("--updates", type=int, default=50)
    parser.add_argument("--group", type=int, default=16, help="programs in an update")
    parser.add_argument("--shots", type=int, default=0, choices=range(len(EXAMPLES) + 1))
    parser.add_argument("--tokens", type=int, default=24, help="of an answer, at most")
    parser.add_argument("--learning-rate", type=float, default=2e-6)
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--sandbox", default="warm")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def main() -> None:
    given = vars(parse())
    model, out, data_dir = given.pop("model"), given.pop("out"), given.pop("data_dir")
    catalogue = Catalogue(data_dir, revision="v1.1")
    settings = Settings(**given)
    ensure_prepared(catalogue.get_competition(settings.competition), PrepareOptions(verify=False))
    asyncio.run(train(settings, model, catalogue, out))


if __name__ == "__main__":
    main()

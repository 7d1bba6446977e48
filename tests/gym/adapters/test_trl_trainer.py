"""TRL's own trainer: two steps with a tiny model whose answers are scripted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mlebench.gym.adapters.trl import EnvironmentFactory
from mlebench.records.episode import read_episode
from tests.gym.adapters.scripts import COPY, NOTHING, VALID

MARKS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")


def tiny_tokenizer() -> Any:
    """Bytes as tokens, with the chat template of Qwen 3 that comes with TRL."""
    import trl
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE({letter: n for n, letter in enumerate(letters)}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    found = PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token=MARKS[2], pad_token=MARKS[0], padding_side="left"
    )
    found.add_special_tokens({"additional_special_tokens": [MARKS[1]]})
    template = Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja"
    found.chat_template = template.read_text()
    return found


def tiny_model(tokenizer: Any) -> Any:
    """A model with random weights; every other rollout of its script hands in a submission."""
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    calls: dict[str, list[dict[str, str]]] = {
        "run_code": [{"code": COPY}, {"code": NOTHING}],
        "submit": [{}, {}],
    }

    def script(text: str, place: int) -> str:
        turn = text.count("<tool_response>")
        if turn >= len(calls):
            return f"Done.{MARKS[2]}"
        name = list(calls)[turn]
        call = json.dumps({"name": name, "arguments": calls[name][place % 2]})
        return f"<tool_call>\n{call}\n</tool_call>{MARKS[2]}"

    class Scripted(Qwen3ForCausalLM):  # type: ignore[misc]
        def generate(self, input_ids: Any, **options: Any) -> Any:
            texts = [script(text, n) for n, text in enumerate(tokenizer.batch_decode(input_ids))]
            answers = tokenizer(texts, return_tensors="pt", padding=True, padding_side="right")
            return torch.cat([input_ids, answers["input_ids"]], 1)

    sizes = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "head_dim": 8}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 2}
    return Scripted(Qwen3Config(vocab_size=len(tokenizer), **sizes, **heads))


@pytest.mark.timeout(1800)  # minutes of processor time on a machine without a GPU
@pytest.mark.filterwarnings("ignore")
def test_two_steps_of_the_trainer(settings: dict[str, Any], tmp_path: Path) -> None:
    trl = pytest.importorskip("trl", reason="trl is not installed")
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    rows = [{"prompt": [{"role": "user", "content": "Solve it."}], "seed": n} for n in range(2)]
    tokenizer = tiny_tokenizer()
    model = tiny_model(tokenizer)
    before = model.lm_head.weight.detach().clone()
    trainer = trl.GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        args=trl.GRPOConfig(
            output_dir=str(tmp_path / "trained"),
            per_device_train_batch_size=4,
            num_generations=4,
            max_completion_length=4000,
            max_steps=2,
            learning_rate=0.1,
            logging_steps=1,
            save_strategy="no",
            report_to="none",
            use_cpu=True,
            gradient_checkpointing=False,
        ),
        train_dataset=datasets.Dataset.from_list(rows),
        environment_factory=EnvironmentFactory(**settings),
    )
    trainer.train()
    logged = [entry for entry in trainer.state.log_history if "reward" in entry]
    assert [entry["reward"] for entry in logged] == pytest.approx([VALID / 2] * 2)
    assert [entry["rewards/MLEEnv/mean"] for entry in logged] == pytest.approx([VALID / 2] * 2)
    assert not before.equal(model.lm_head.weight), "nothing was learnt"
    logs = [read_episode(file) for file in Path(settings["logs"]).glob("*.jsonl")]
    assert len(logs) == 8 and all(log.end and log.end.reason == "submitted" for log in logs)

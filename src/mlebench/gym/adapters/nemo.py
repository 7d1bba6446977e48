"""NeMo Gym: a resources server. One session is one episode; needs Python 3.12.

Routes: `/seed_session`, one for each tool, `/verify`, `/aggregate_metrics`.
"""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from nemo_gym.base_resources_server import (
    BaseResourcesServerConfig,
    BaseSeedSessionRequest,
    BaseSeedSessionResponse,
    BaseVerifyRequest,
    BaseVerifyResponse,
    SimpleResourcesServer,
)
from nemo_gym.server_utils import SESSION_ID_KEY
from pydantic import BaseModel, Field, PrivateAttr

from mlebench.gym.adapters.session import SessionSettings, TextSession

TOOLS = ("info", "read", "write", "run", "validate", "submit")


class MLEConfig(BaseResourcesServerConfig):
    """Settings of the server: fields of `SessionSettings`, except the seed."""

    competition: str = "starter-wine"
    reward: str = "human_rank"
    limits: dict[str, Any] = Field(default_factory=dict)
    data_dir: str | None = None
    logs: str | None = None
    sandbox: str = "warm"


class SeedRequest(BaseSeedSessionRequest):
    """A row of the data set may name both."""

    competition: str | None = None
    seed: int = 0


class SeedResponse(BaseSeedSessionResponse):
    observation: str


class ToolRequest(BaseModel):
    """The arguments of all tools; each uses its own."""

    topic: str | None = None
    path: str | None = None
    text: str | None = None
    code: str | None = None
    command: str | None = None
    seconds: float | None = None


class ToolResponse(BaseModel):
    observation: str
    is_over: bool


class MLEVerifyResponse(BaseVerifyResponse):
    """`mask_sample` is true where the machine failed: such a reward must not be learnt from."""

    is_valid: bool
    steps: int
    mask_sample: bool


class MLEResourcesServer(SimpleResourcesServer):
    """Episodes behind HTTP."""

    config: MLEConfig
    _sessions: dict[str, TextSession] = PrivateAttr(default_factory=dict)

    def setup_webserver(self) -> FastAPI:
        app = super().setup_webserver()
        for name in TOOLS:
            app.post(f"/{name}")(self._tool(name))
        return app

    async def seed_session(self, request: Request, body: SeedRequest) -> SeedResponse:
        """Begin the episode of this session."""
        names = SessionSettings.__dataclass_fields__.keys() - {"seed"}
        settings = SessionSettings(**{name: getattr(self.config, name) for name in names})
        session = TextSession(settings)
        self._sessions[request.session[SESSION_ID_KEY]] = session
        text = await session.start(seed=body.seed, competition=body.competition)
        return SeedResponse(observation=text)

    def _tool(self, name: str) -> Any:
        async def tool(request: Request, body: ToolRequest) -> ToolResponse:
            session = self._sessions.get(request.session[SESSION_ID_KEY])
            if session is None or session.is_over:
                return ToolResponse(observation="there is no open episode", is_over=True)
            action = {"kind": name, **body.model_dump(exclude_none=True)}
            result = await session.act(action)
            return ToolResponse(observation=result.observation.text, is_over=session.is_over)

        tool.__name__ = name
        return tool

    async def verify(self, request: Request, body: BaseVerifyRequest) -> MLEVerifyResponse:
        """The reward of the session, which ends."""
        session = self._sessions.pop(request.session[SESSION_ID_KEY], None)
        total = session.total if session else None
        metrics = session.metrics if session else {"is_valid": 0.0, "steps": 0.0}
        if session:
            await session.close()
        return MLEVerifyResponse(
            **body.model_dump(),
            reward=total or 0.0,
            is_valid=bool(metrics["is_valid"]),
            steps=int(metrics["steps"]),
            mask_sample=total is None,
        )


if __name__ == "__main__":
    MLEResourcesServer.run_webserver()

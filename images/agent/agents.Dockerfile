# A published agent as a layer on top of another image, with the Node or Python that came with it:
#
#   mlebench agents install codex
#   docker build -t mlebench-agent:codex -f "$(mlebench docs --image-recipe)/agents.Dockerfile" \
#       --build-arg NAME=codex "$(mlebench agents folder codex)"
#   mlebench run --agent codex --sandbox docker --image mlebench-agent:codex --model MODEL ...
#
# For several agents in one image, build on the last one: --build-arg BASE=mlebench-agent:codex.
# On machines with such an image the agents need not be installed.
ARG BASE=mlebench-agent:latest
FROM ${BASE}
ARG NAME
COPY . /opt/programs/${NAME}

#!/bin/sh
# Runs the solution and asks whether its submission is valid; aider shows failures to the model.
home="$1"
cd "$home/agent" || exit 1
timeout "$2" python3 "$home/code/solve.py" || { echo "solve.py failed or took too long"; exit 1; }
answer=$(bash "$home/validate_submission.sh" "$home/submission/submission.csv")
echo "$answer"
case "$answer" in *"Submission is valid"*) exit 0 ;; *) exit 1 ;; esac

"""Checks the scripts in workflows and actions of GitHub and GitLab with shellcheck: each ends with the first
command that fails, and has letters in place of GitHub's expressions. Findings name the workflow and the
line in it.

    lint_workflow_scripts.py WORKFLOW...
"""

import json
import re
import subprocess
import sys

from ruamel.yaml import YAML

def github_scripts(workflow):
    """The line of each script's first line, the script and the shell."""
    default = workflow.get("defaults", {}).get("run", {}).get("shell", "bash")
    # An action has the steps of a job.
    for job in workflow.get("jobs", {"": workflow.get("runs")}).values():
        shell = job.get("defaults", {}).get("run", {}).get("shell", default)
        for step in job.get("steps", []):
            if "run" in step:
                line, _ = step.lc.value("run")
                # A block begins below its '|'.
                yield line + ("\n" in step["run"]) + 1, step["run"], step.get("shell", shell)


def gitlab_scripts(workflow):
    """The line of each command, the command and the shell."""
    for job in workflow.values():
        if not isinstance(job, dict):
            continue
        for key in ("before_script", "script", "after_script"):
            commands = job.get(key, [])
            for number, command in enumerate(commands):
                line, _ = commands.lc.item(number)
                yield line + ("\n" in command.rstrip()) + 1, command, "sh"


def main():
    count = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            workflow = YAML().load(file)
        scripts = github_scripts if workflow.keys() & {"jobs", "runs"} else gitlab_scripts
        for line, script, shell in scripts(workflow):
            name = shell.split()[0]
            if name not in ("bash", "sh"):
                continue
            script = "set -e\n" + re.sub(r"\$\{\{.*?\}\}", lambda match: "x" * len(match[0]), script)
            done = subprocess.run(
                ["shellcheck", "--shell", name, "--format", "json", "-"],
                input=script, stdout=subprocess.PIPE, encoding="utf-8", check=False)
            for found in json.loads(done.stdout):
                count += 1
                print(f"{path}:{line + found['line'] - 2}: {found['level']}: {found['message']}"
                      f" [SC{found['code']}]")
    return count > 0


if __name__ == "__main__":
    sys.exit(main())

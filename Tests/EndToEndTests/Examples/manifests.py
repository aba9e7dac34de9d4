#!/usr/bin/env python3
"""Checks the Kubernetes manifests of docs/fleet.md: what they say of themselves, and that dray takes their command.

    manifests.py SOURCES PROGRAM

Kubernetes' own schemas are not here; `kubernetes-validate --strict` of PyPI has them.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

# The exit statuses of dray that another pod would not change.
STATUSES = set(range(1, 11))
UNITS = {"m": 0.001, "": 1, "Mi": 1 << 20, "Gi": 1 << 30}


class Strict(yaml.SafeLoader):
    """Refuses a key that occurs twice, as Kubernetes does."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key) for key, _ in node.value]
        if len(set(keys)) != len(keys):
            raise yaml.YAMLError(f"a key occurs twice: {keys}")
        return super().construct_mapping(node, deep)


def amount(text):
    number, unit = re.fullmatch(r"([0-9.]+)([A-Za-z]*)", str(text)).groups()
    return float(number) * UNITS[unit]


def seconds(text):
    return int(text.removesuffix("s"))


def faults(manifest):
    """Yields what is wrong with a manifest."""
    kind, spec = manifest["kind"], manifest["spec"]
    pod = spec["template"]["spec"]
    if not pod["securityContext"].get("runAsNonRoot") or not pod["securityContext"].get("runAsUser"):
        yield "it may run as root"
    volumes = {one["name"]: one for one in pod["volumes"]}
    for one in pod["containers"]:
        command, mounts = one["command"], {mount["mountPath"]: mount["name"] for mount in one["volumeMounts"]}
        grace = seconds(command[command.index("--grace") + 1])
        if pod["terminationGracePeriodSeconds"] < grace + 5:
            yield "the pod ends before its jobs are handed back"
        security = one["securityContext"]
        if not security["readOnlyRootFilesystem"] or security["allowPrivilegeEscalation"]:
            yield "the container may change more than its volumes"
        if missing := set(mounts.values()) - set(volumes):
            yield f"no such volume: {missing}"
        variables = {each["name"]: each.get("value") for each in one["env"]}
        for name in ("DRAY_HOME", "DRAY_SHARED_DIR"):
            place = variables.get(name)
            if place and not any(place == path or place.startswith(path + "/") for path in mounts):
                yield f"{name} is not on a volume"
        requests, limits = one["resources"]["requests"], one["resources"]["limits"]
        if any(amount(limits[name]) < amount(requests[name]) for name in limits):
            yield "a limit is below what is requested"
        ports = {port["name"] for port in one["ports"]}
        for probe in ("readinessProbe", "startupProbe"):
            if probe in one and one[probe]["httpGet"]["port"] not in ports:
                yield f"{probe} asks a port that has no name"
        if "livenessProbe" in one:
            yield "a liveness probe would restart a runner that waits for its database"
        if ("--wait" in command) == (kind == "Job"):
            yield "a Job ends, a Deployment stays"
    if kind == "Job":
        if pod["restartPolicy"] != "Never" or spec["completionMode"] != "Indexed" or not spec["backoffLimitPerIndex"]:
            yield "FailIndex needs restartPolicy Never, Indexed and backoffLimitPerIndex"
        if spec["completions"] != spec["parallelism"]:
            yield "each pod is one completion"
        final = [rule["onExitCodes"]["values"] for rule in spec["podFailurePolicy"]["rules"] if rule["action"] == "FailIndex"]
        if [set(values) for values in final] != [STATUSES]:
            yield "a failed file starts a pod again"


def main(sources, program):
    text = pathlib.Path(sources, "docs/fleet.md").read_text()
    manifests = [yaml.load(block, Strict) for block in re.findall(r"```yaml\n(.*?)```", text, re.S)]
    wrong = [f"{one['kind']}: {fault}" for one in manifests for fault in faults(one)]
    if sorted(one["kind"] for one in manifests) != ["Deployment", "Job"]:
        wrong.append("there are other manifests now")
    for one in manifests:
        words = one["spec"]["template"]["spec"]["containers"][0]["command"]
        # On an empty queue of this machine, and a free port.
        words = [program] + [word.replace("*:9464", "127.0.0.1:0") for word in words[1:] if word != "--wait"]
        with tempfile.TemporaryDirectory() as home:
            environment = {"DRAY_HOME": home, "XDG_CONFIG_HOME": home, "PATH": "/usr/bin:/bin"}
            done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            wrong.append(f"{one['kind']}: {done.stderr}")
    print("\n".join(wrong + [f"{len(manifests)} manifests, {len(wrong)} faults"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

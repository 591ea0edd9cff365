"""Tells a Signalbox run console what a pytest run is doing: ``pytest -p signalbox_pytest``.

One file, nothing but the standard library. It never raises, changes no exit code and keeps no process alive;
when no console is there it does nothing, and it prints nothing but one line if a console rejected a part of the run. The settings are those of the other publishers (``SIGNALBOX_URL`` ...).
"""

import json
import os
import queue
import re
import shlex
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid
from datetime import datetime, timezone

BATCH = 200
BEAT_SECONDS = 10
OUTPUT_BYTES = 65536


def _iso(seconds=None):
    at = datetime.fromtimestamp(time.time() if seconds is None else seconds, timezone.utc)
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (at.microsecond // 1000)


def _probe_seconds():
    try:
        return float(os.environ.get("SIGNALBOX_PROBE_MS") or 250) / 1000
    except ValueError:
        return 0.25


def _git(root, *args):
    try:
        said = subprocess.run(["git", "-C", root, *args], capture_output=True, text=True, timeout=2)
        return said.stdout.strip() or None if said.returncode == 0 else None
    except Exception:
        return None


def _remote_id(url):
    """The same for every spelling of a remote; None for a folder of this machine."""
    found = re.match(r"(?:https?|ssh|git|git\+ssh)://(?:[^@/]*@)?([^:/]+)(?::\d+)?/(.*)$", url or "", re.I)
    found = found or re.match(r"(?:[^@/\\]*@)?([^:/\\]{2,}):(?!//)(.*)$", url or "")
    name = re.sub(r"\.git$", "", "/".join(filter(None, re.split(r"[?#]", found.group(2))[0].split("/")))) if found else ""
    return f"{found.group(1).lower()}/{name}" if name else None


def _package(root):
    """The name that the project gives itself."""
    for file, pattern in (("pyproject.toml", r'^name\s*=\s*["\']([^"\']+)'), ("setup.cfg", r"^name\s*=\s*(\S+)")):
        try:
            with open(os.path.join(root, file), encoding="utf-8") as lines:
                found = re.search(pattern, lines.read(), re.M)
            if found:
                return found.group(1)
        except OSError:
            pass
    return None


def _repository_id(root, depth=0):
    url = _git(root, "config", "--get", "remote.origin.url")
    known = _remote_id(url)
    source = os.path.join(root, re.sub(r"^file://", "", url)) if url and not known else None
    if source and depth < 3 and os.path.isdir(source):
        return _repository_id(source, depth + 1)
    return known or ("package:" + _package(root) if _package(root) else None)


class _Sender(threading.Thread):
    """Asks once whether a console is there, then posts what it is handed, in order."""

    def __init__(self, url, token):
        super().__init__(name="signalbox-publisher", daemon=True)
        self.url, self.token = url, token
        self.events, self.beat, self.alive = queue.Queue(50_000), None, True
        self.ending, self.over = threading.Event(), threading.Event()
        self.rejected = []
        self.unsent, self.waiting, self.lock = self.open_unsent(), 0, threading.Lock()

    @staticmethod
    def open_unsent():
        """Where ``signalbox run`` finds what was not sent when this process dies in the middle of a test."""
        try:
            folder = os.environ.get("SIGNALBOX_UNSENT")
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
            return os.open(os.path.join(folder, str(os.getpid())), flags, 0o600) if folder else None
        except OSError:
            return None

    def put(self, event):
        if self.unsent is not None:
            with self.lock:  # before it is handed over: what is written later than it is sent would stay for ever
                self.waiting += 1
                os.write(self.unsent, json.dumps(event).encode() + b"\n")
        try:
            self.events.put_nowait(event)
        except queue.Full:
            self.sent(1)

    def sent(self, count):
        if self.unsent is not None:
            with self.lock:
                self.waiting -= count
                if self.waiting <= 0:
                    os.ftruncate(self.unsent, 0)

    def call(self, method, path, body=None, timeout=5):
        headers = {"content-type": "application/json"}
        if self.token:
            headers["authorization"] = "Bearer " + self.token
        request = urllib.request.Request(self.url + path, data=body, headers=headers, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=timeout) as answer:
            return answer.read()

    def run(self):
        try:
            self.alive = json.loads(self.call("GET", "/api/ping", timeout=_probe_seconds())).get("tool") == "signalbox"
            while self.alive and self.send():
                pass
        except Exception:
            pass
        self.alive = False
        self.over.set()

    def send(self):
        batch, more = [], True
        ending = self.ending.is_set()  # read first: what is put before the end is found below
        try:
            batch.append(self.events.get(timeout=0 if ending else BEAT_SECONDS))
            while len(batch) < BATCH:
                batch.append(self.events.get_nowait())
        except queue.Empty:
            more = not ending
        if None in batch:
            batch, more = batch[: batch.index(None)], False
        told = len(batch)
        if not batch and self.beat and more:
            batch = [self.beat()]
        if not self.deliver(batch):
            return False
        self.sent(told)
        return more

    def deliver(self, batch):
        """False if nothing more can be sent. While the tests run, a console that is away is waited for."""
        failures = 0
        while batch:
            status = self.post(batch)
            if status in (401, 403, 404):
                return False
            if status == 413 and len(batch) > 1:
                half = len(batch) // 2
                return self.deliver(batch[:half]) and self.deliver(batch[half:])
            if status is not None and status < 500 and status not in (408, 429):
                return True
            failures += 1
            if not self.ending.is_set():
                self.ending.wait(min(10, 0.125 * 2**failures))
            elif failures > 2:
                return False
            else:
                time.sleep(0.2 * failures)
        return True

    def post(self, batch):
        """The status of the answer; None without one."""
        try:
            self.note(self.call("POST", "/api/ingest", json.dumps({"events": batch}).encode()), batch)
            return 202
        except urllib.error.HTTPError as answer:
            return 503 if answer.code == 404 and not self.is_ours(answer) else answer.code
        except Exception:
            return None

    @staticmethod
    def is_ours(answer):
        """A refusal of the console has a code. A gateway that answers 404 while the console restarts sends a page."""
        try:
            return isinstance(json.loads(answer.read(1_000_000)).get("code"), str)
        except Exception:
            return False

    def note(self, answer, batch):
        """Keeps why events were rejected although their batch was taken."""
        try:
            for one in json.loads(answer)["rejected"]:
                if batch[one["index"]]["type"] != "run_heartbeat":
                    self.rejected.append(str(one["message"]))
        except Exception:
            pass

    def end(self):
        """Waits a moment for what is left."""
        self.ending.set()
        try:
            self.events.put_nowait(None)
        except queue.Full:
            pass  # then the thread does not wait for an event
        self.over.wait(max(2, _probe_seconds()))


class SignalboxPlugin:
    def __init__(self, config, url):
        env = os.environ
        self.config = config
        self.root = _git(str(config.rootpath), "rev-parse", "--show-toplevel") or str(config.rootpath)
        self.given = env.get("SIGNALBOX_RUN_ID") or None
        self.run_id = self.given or str(uuid.uuid4())
        self.owned = bool(env.get("SIGNALBOX_RUN_OWNER"))
        self.shard = re.fullmatch(r"(\d{1,5})/(\d{1,5})", env.get("SIGNALBOX_SHARD") or "")
        self.participant = None
        if self.given:
            self.participant = "pytest " + (self.shard.group(0) if self.shard else str(os.getpid()))
        self.started, self.total = time.time(), None
        self.tests, self.open, self.counts = {}, {}, {}
        self.interrupted = None
        self.sender = _Sender(url, env.get("SIGNALBOX_TOKEN"))
        self.sender.beat = lambda: self.event("run_heartbeat", at=_iso())
        self.sender.start()

    def event(self, kind, **members):
        return {"type": kind, "runId": self.run_id, **members}

    def publish(self, kind, **members):
        if self.sender.alive:
            self.sender.put(self.event(kind, **members))

    def announce(self):
        env, root = os.environ, self.root
        if not self.owned:
            known = _repository_id(root)
            short = _package(root) or (known or "").rpartition("/")[2] or os.path.basename(root)
            name = env.get("SIGNALBOX_SUITE") or short + ":pytest"
            inside = os.path.relpath(str(self.config.rootpath), root).replace(os.sep, "/")
            if known and not env.get("SIGNALBOX_SUITE") and inside != "." and not inside.startswith(".."):
                known += "#" + inside  # two projects of one repository are two suites
            self.publish(
                "run_started", suite=name, repository=root, repositoryId=known, branch=_git(root, "rev-parse", "--abbrev-ref", "HEAD"),
                mode="in-process", startedAt=_iso(self.started), totalScenarios=None if self.given else self.total,
                tag=env.get("SIGNALBOX_RUN_TAG") or None, session=env.get("CLAUDE_CODE_SESSION_ID") or None,
                command=None, commit=_git(root, "rev-parse", "HEAD"),
            )
        if self.participant:
            due = int(self.shard.group(2)) if self.shard else None
            self.publish(
                "participant_started", participant=self.participant, due=due, totalScenarios=self.total,
                processId=os.getpid(), at=_iso(self.started),
            )

    def test_of(self, nodeid, location=None, keywords=()):
        """The path of a node id is the file, the classes and the function, with its parameters."""
        if nodeid not in self.tests:
            file, *path = nodeid.split("::")
            full = os.path.join(str(self.config.rootpath), file)
            short = os.path.relpath(full, self.root).replace(os.sep, "/")
            line = location[1] + 1 if location and location[1] is not None else None
            uid = short + "/" + " > ".join(path)
            self.tests[nodeid] = {
                "uid": uid, "feature": short, "scenario": " > ".join(path), "file": short, "line": line,
                "path": path, "order": len(self.tests) + 1, "tags": sorted(keywords),
            }
        return self.tests[nodeid]

    # pytest's own calls ------------------------------------------------------------------------------------------

    def pytest_collection_finish(self, session):
        self.total = len(session.items) or self.total
        for item in session.items:
            self.test_of(item.nodeid, item.location, {mark.name for mark in item.iter_markers()} - {"parametrize"})
        self.announce()

    def pytest_runtest_logstart(self, nodeid, location):
        test = self.test_of(nodeid, location)
        before = self.open.get(nodeid)
        attempt = before["attempt"] + 1 if before else 1
        if before and before.get("rerun"):
            self.publish(
                "retry_scheduled", uid=test["uid"], nextAttempt=attempt, disposition="RetryInProcess",
                reason=before.get("reason") or "failed",
            )
        self.open[nodeid] = {"attempt": attempt, "since": time.time(), "errors": [], "state": None, "took": 0.0}
        self.publish("scenario_started", attempt=attempt, at=_iso(), **test)

    def pytest_runtest_logreport(self, report):
        now = self.open.get(report.nodeid)
        if now is None:
            self.pytest_runtest_logstart(report.nodeid, report.location)
            now = self.open[report.nodeid]
        now["took"] += getattr(report, "duration", 0.0) or 0.0
        if report.outcome == "rerun":
            now["rerun"], now["state"] = True, "Failed"
            now["errors"].append(self.error_of(report))
        elif report.failed:
            now["state"] = "Failed"
            now["errors"].append(self.error_of(report))
        elif report.skipped and now["state"] is None:
            now["state"], now["skip"] = "Skipped", self.reason_of(report)
        elif report.when == "call" and now["state"] is None:
            now["state"] = "PassOnRetry" if now["attempt"] > 1 else "CleanPass"
        now["stdout"], now["stderr"] = report.capstdout, report.capstderr
        if report.when == "teardown" or now.get("rerun"):
            self.finish(report.nodeid, now)

    def finish(self, nodeid, now):
        test, errors = self.tests[nodeid], now["errors"]
        state = now["state"] or "Aborted"
        self.counts[test["uid"]] = state
        now["reason"] = errors[0]["message"].split("\n")[0] if errors else None
        members = {"errors": errors} if errors else {}
        if errors and not nodeid.endswith("::(file)"):
            members["rerun"] = "python -m pytest " + shlex.quote(nodeid)
        if now.get("skip"):
            members["skipReason"] = now["skip"]
        for name in ("stdout", "stderr"):
            if now.get(name):
                members[name] = now[name][-OUTPUT_BYTES:].rstrip("\n").split("\n")
        self.publish(
            "scenario_finished", uid=test["uid"], outcome=state, attempts=now["attempt"],
            durationMs=round(now["took"] * 1000), errorMessage=errors[0]["message"] if errors else None,
            stackTrace=errors[0]["stack"] if errors else None, file=test["file"], line=test["line"],
            startedAt=_iso(now["since"]), at=_iso(now["since"] + now["took"]), **members,
        )

    def error_of(self, report):
        text = report.longreprtext.replace(self.root + os.sep, "")
        crash = getattr(getattr(report, "longrepr", None), "reprcrash", None)
        message = (getattr(crash, "message", None) or text.strip().split("\n")[-1] or "failed")[:8000]
        name = re.match(r"([\w.]*(?:Error|Exception|Exit|Interrupt))\b", message)
        path = getattr(crash, "path", None)
        place = None
        if path:
            full = os.path.join(str(self.config.rootpath), path)
            place = {"file": os.path.relpath(full, self.root).replace(os.sep, "/"), "line": crash.lineno}
        where = "" if report.when == "call" else f"{report.when}: "
        return {"message": where + message, "name": name and name.group(1), "stack": text[:16000], "place": place}

    @staticmethod
    def reason_of(report):
        if hasattr(report, "wasxfail"):
            return "expected to fail" + (f": {report.wasxfail}" if report.wasxfail else "")
        said = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
        return re.sub(r"^Skipped: ", "", str(said))[:1000]

    def pytest_collectreport(self, report):
        """A file that cannot be collected stands for its tests."""
        if not report.failed:
            return
        test = self.test_of((report.nodeid or "collection") + "::(file)")
        self.publish("scenario_started", attempt=1, at=_iso(), **test)
        now = {"attempt": 1, "since": time.time(), "took": 0.0, "state": "Failed", "errors": []}
        report.when = "call"
        now["errors"].append(self.error_of(report))
        self.finish(report.nodeid + "::(file)" if report.nodeid else "collection::(file)", now)

    def pytest_keyboard_interrupt(self, excinfo):
        if excinfo.type is KeyboardInterrupt:  # pytest's own early ends are of a kind derived from it
            self.interrupted = "SIGINT"

    def pytest_sessionfinish(self, session, exitstatus):
        for nodeid, now in list(self.open.items()):
            if self.tests[nodeid]["uid"] not in self.counts:
                now["errors"].append({"message": "The run ended before this test had a verdict.", "stack": None})
                self.finish(nodeid, {**now, "state": "Aborted"})
        of = lambda *states: sum(state in states for state in self.counts.values())  # noqa: E731
        missing = max(0, (self.total or 0) - len(self.counts)) + of("Aborted")
        bad = of("Failed", "Aborted")
        code = 2 if missing or self.interrupted else 1 if bad or int(exitstatus) not in (0, 5) else 0
        figures = {
            "exitCode": code, "passed": of("CleanPass"), "failed": bad, "passedOnRetry": of("PassOnRetry"),
            "indeterminate": 0, "skipped": of("Skipped"), "interrupted": self.interrupted,
        }
        if self.total is None:
            self.announce()
        if self.participant:
            self.publish("participant_finished", participant=self.participant, at=_iso(), **figures)
        if not self.owned and not (self.shard and self.participant):
            self.publish("run_finished", finishedAt=_iso(), **figures)
        self.sender.end()

    def pytest_unconfigure(self, config):
        """After pytest's own last line, which goes to standard output."""
        why = self.sender.rejected
        if why:
            events = "1 event" if len(why) == 1 else f"{len(why)} events"
            reason = "".join(one if one.isprintable() else "\u00b7" for one in why[0][:300])
            print(f"signalbox: the run console rejected {events}, so the run is incomplete: {reason}", file=sys.stderr)


class _Quietly:
    """Whatever goes wrong in here is not the user's: their tests go on as if nobody listened."""

    def __init__(self, plugin):
        for name in dir(plugin):
            if name.startswith("pytest_"):
                setattr(self, name, self.guard(plugin, name))

    @staticmethod
    def guard(plugin, name):
        act = getattr(plugin, name)
        code = act.__func__.__code__
        names = code.co_varnames[1 : code.co_argcount]
        scope = {"act": act}
        call = ", ".join(f"{one}={one}" for one in names)
        body = f"def {name}({', '.join(names)}):\n try:\n  act({call})\n except Exception:\n  pass\n"
        exec(body, scope)  # pytest reads the names of a hook's arguments off the function itself
        return scope[name]


def pytest_configure(config):
    try:
        if (os.environ.get("SIGNALBOX") or "").lower() in ("0", "off", "false", "no"):
            return
        if hasattr(config, "workerinput"):  # a worker of pytest-xdist: its controller tells everything
            return
        url = (os.environ.get("SIGNALBOX_URL") or "http://127.0.0.1:5525").rstrip("/")
        url = url if "://" in url else "http://" + url
        config.pluginmanager.register(_Quietly(SignalboxPlugin(config, url)), "signalbox")
    except Exception:
        pass

"""PostgreSQL of Debian with a cluster of its own, and its use of the machine."""

import os
import pwd
import shutil
import signal
import subprocess
import time
from pathlib import Path

from .failure import Broken
from .nginx import free_port

# pg_stat_statements counts what each statement costs. The rest are the defaults of a small server.
SETTINGS = {
    "listen_addresses": "127.0.0.1", "shared_preload_libraries": "pg_stat_statements", "pg_stat_statements.max": "10000",
    "pg_stat_statements.track_planning": "on",
    "shared_buffers": "512MB", "max_wal_size": "8GB", "checkpoint_timeout": "15min", "max_connections": "200", "jit": "off",
}


class Postgres:
    """A server during the `with` block. It refuses to run as root, so that root starts it as another user."""

    def __init__(self, directory: Path, settings=None):
        self.directory, self.port = directory, free_port()
        self.settings = SETTINGS | (settings or {})
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[4]))
        if not found:
            raise Broken("PostgreSQL is not installed; scripts/setup.sh fleet installs it")
        self.programs = found[-1].parent
        self.user = None
        if os.geteuid() == 0:
            self.user = next(entry for entry in pwd.getpwall() if entry.pw_name in ("postgres", "nobody"))

    def words(self, name: str, *arguments) -> list:
        own = [] if self.user is None else [
            shutil.which("setpriv"), f"--reuid={self.user.pw_uid}", f"--regid={self.user.pw_gid}", "--clear-groups", "--"]
        return [*own, self.programs / name, *arguments]

    def __enter__(self):
        self.directory.mkdir(parents=True)
        # Its user must get there, and temporary directories are private.
        self.directory.parent.chmod(0o755)
        if self.user is not None:
            os.chown(self.directory, self.user.pw_uid, self.user.pw_gid)
        made = subprocess.run(
            self.words("initdb", "--no-sync", "-D", self.directory / "data", "-U", "dray", "--auth=trust", "-E", "UTF8",
                       "--locale=C.UTF-8"),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, cwd="/")
        if made.returncode != 0:
            raise Broken(f"initdb: {made.stdout[-500:]}")
        options = [word for name, value in self.settings.items() for word in ("-c", f"{name}={value}")]
        with open(self.directory / "log", "wb") as log:
            self.process = subprocess.Popen(
                self.words("postgres", "-D", self.directory / "data", "-p", str(self.port), "-k", self.directory, *options),
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True, cwd="/")
        deadline = time.monotonic() + 60
        while subprocess.run([self.programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)], check=False).returncode:
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise Broken(f"PostgreSQL does not start: {(self.directory / 'log').read_text()[-500:]}")
            time.sleep(0.05)
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGQUIT)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def uri(self, database: str) -> str:
        return f"postgresql://dray@127.0.0.1:{self.port}/{database}"

    def sql(self, text: str, database: str = "postgres") -> list:
        """The rows of a statement, each a list of texts."""
        done = subprocess.run(
            [self.programs / "psql", "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-d", self.uri(database)],
            input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            raise Broken(f"{text[:200]}: {done.stderr[-500:]}")
        return [line.split("\t") for line in done.stdout.splitlines()]

    def new_database(self, name: str, template: str = "template0"):
        self.sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE); CREATE DATABASE {name} TEMPLATE {template};".replace("; ", ";\n"))
        self.sql("CREATE EXTENSION IF NOT EXISTS pg_stat_statements", name)

    def reset(self, database: str):
        self.sql("SELECT pg_stat_statements_reset()", database)

    def statements(self, database: str) -> list:
        """Each statement since the reset: calls, rows, milliseconds, text; the dearest first."""
        rows = self.sql(
            "SELECT calls, rows, round((total_exec_time + total_plan_time)::numeric, 1), "
            "regexp_replace(left(query, 160), '\\s+', ' ', 'g') FROM pg_stat_statements "
            "WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) "
            "AND query NOT LIKE '%pg_stat_statements%' ORDER BY 3 DESC", database)
        return [(int(calls), int(count), float(spent), text) for calls, count, spent, text in rows]

    def cpu(self) -> float:
        """Seconds of user and system of all its processes so far, ended ones included."""
        tick = os.sysconf("SC_CLK_TCK")

        def fields(pid):
            return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()

        own = fields(self.process.pid)
        ticks = sum(int(value) for value in own[11:15])
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text(encoding="ascii").split()
        for pid in children:
            try:
                ticks += sum(int(value) for value in fields(pid)[11:13])
            except OSError:
                pass
        return ticks / tick

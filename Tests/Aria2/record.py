#!/usr/bin/env python3
"""Asks the aria2c of this machine, on 127.0.0.1, and records the answers.

    Tests/Aria2/record.py            writes answers.json beside this file

The tables of DrayServerTests compare dray's answers with these, field by field, and compare.py sends the same calls to both programs.
Requests are our own; what differs from one run to the next (session ids, rates, ports, the directory) is replaced by a word.
"""

import base64, contextlib, http.client, http.server, json, os, pathlib, re, secrets, shutil, socket
import struct, subprocess, sys, tempfile, threading, time, urllib.parse, xmlrpc.client

HERE = pathlib.Path(__file__).parent
SIZE = 3 * 1024 * 1024 + 7


class Files(http.server.BaseHTTPRequestHandler):
    """/whole is sent, /held stops after 1.5 MiB until the end, /gone is missing, /shut requires a password, /barred refuses."""

    protocol_version = "HTTP/1.1"
    release = threading.Event()
    # The ranges that were asked for, by name.
    asked = {}

    def log_message(self, *_):
        pass

    def do_GET(self):
        name = self.path.split("?")[0].rsplit("/", 1)[-1]
        status = {"gone": 404, "shut": 401, "barred": 403, "busy": 503}.get(name, 200)
        self.asked.setdefault(name, []).append(self.headers.get("Range"))
        body = b"x" * SIZE if status == 200 else b"no"
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", "")) if status == 200 else None
        first, end = (int(asked[1]), int(asked[2] or SIZE - 1) + 1) if asked else (0, len(body))
        self.send_response(206 if asked else status)
        self.send_header("Content-Length", str(end - first))
        self.send_header("ETag", '"v1"')
        if asked:
            self.send_header("Content-Range", f"bytes {first}-{end - 1}/{SIZE}")
        self.end_headers()
        with contextlib.suppress(OSError):
            if name.startswith("held"):
                half = 1536 * 1024
                self.wfile.write(body[first:half])
                self.wfile.flush()
                self.release.wait(300)
                first = max(first, half)
            self.wfile.write(body[first:end])

    do_HEAD = do_GET


class Daemon:
    """An aria2c that serves; Dray in compare.py is another program of its kind."""

    def __init__(self, directory, secret=None):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.directory = directory
        command, variables = self.command(secret)
        self.process = subprocess.Popen(
            command, env={"HOME": directory, "PATH": os.environ["PATH"], "LC_ALL": "C", **variables},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(400):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            time.sleep(0.05)
        sys.exit(f"{command[0]} does not listen")

    def command(self, secret):
        """The command line, and variables of the environment."""
        return ["aria2c", "--no-conf", "--enable-rpc", f"--rpc-listen-port={self.port}", f"--dir={self.directory}", "--quiet",
                "--max-concurrent-downloads=1", "--max-tries=1", "--enable-dht=false", "--file-allocation=none",
                *([f"--rpc-secret={secret}"] if secret else [])], {}

    def end(self):
        self.process.terminate()
        self.process.wait()

    def ask(self, method, path, body=None, fields={}):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(method, path, body, fields)
            response = connection.getresponse()
            return response.status, response.getheader("Content-Type"), response.read()
        except (http.client.HTTPException, OSError) as error:
            return 0, type(error).__name__, b""
        finally:
            connection.close()

    def call(self, method, *params):
        return json.loads(self.ask("POST", "/jsonrpc", json.dumps(
            {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))[2])


class WebSocket:
    """Just enough of RFC 6455 to talk to aria2c."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        self.socket.sendall((f"GET /jsonrpc HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.socket.recv(4096)
        self.buffer = self.buffer.split(b"\r\n\r\n", 1)[1]

    def send(self, text, opcode=1):
        mask, data = secrets.token_bytes(4), text.encode()
        head = bytes([0x80 | opcode, 0x80 | len(data)])
        self.socket.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def take(self, count):
        while len(self.buffer) < count:
            more = self.socket.recv(65536)
            if not more:
                raise OSError("closed")
            self.buffer += more
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def receive(self):
        _, length = self.take(2)
        if length == 126:
            (length,) = struct.unpack("!H", self.take(2))
        elif length == 127:
            (length,) = struct.unpack("!Q", self.take(8))
        return self.take(length).decode()


class Recorder:
    def __init__(self, words):
        self.words = words
        self.exchanges = []

    def clean(self, text):
        for value, word in self.words.items():
            text = text.replace(value, word).replace(value.replace("/", "\\/"), word)
        return text

    def note(self, section, name, request, status, kind, answer, via="POST"):
        entry = {"section": section, "name": name, "via": via}
        try:
            entry["request"] = self.clean(request.decode() if isinstance(request, bytes) else request)
        except UnicodeDecodeError:
            entry["bytes"] = request.hex()
        if len(entry.get("request", "")) > 4000:
            text = entry.pop("request")
            entry["repeated"] = [text[0], len(text)]
        entry |= {"status": status, "type": kind, "answer": self.clean(answer.decode(errors="replace"))}
        self.exchanges.append(entry)

    def post(self, daemon, section, name, body, path="/jsonrpc"):
        body = body if isinstance(body, (bytes, str)) else json.dumps(body)
        self.note(section, name, body, *daemon.ask("POST", path, body.encode() if isinstance(body, str) else body))

    def call(self, daemon, section, name, method, *params, id="q"):
        self.post(daemon, section, name, {"jsonrpc": "2.0", "id": id, "method": method, "params": list(params)})

    def get(self, daemon, section, name, query, **params):
        path = "/jsonrpc?" + query
        self.note(section, name, query, *daemon.ask("GET", path), via="GET")


def until(test, seconds=20):
    for _ in range(int(seconds * 50)):
        if test():
            return
        time.sleep(0.02)
    raise SystemExit(f"line {test.__code__.co_firstlineno} did not come")


def status(daemon, gid):
    return daemon.call("aria2.tellStatus", gid).get("result", {}).get("status")


def is_held(daemon, gid):
    """Whether a server that sent half of a file keeps the rest back."""
    job = daemon.call("aria2.tellStatus", gid).get("result", {})
    return (job.get("status"), job.get("completedLength"), job.get("connections")) == ("active", str(1536 * 1024), "1")


def protocol(recorder, daemon):
    ok = '"method":"aria2.getVersion"'
    cases = {
        "nothing": "", "blank": "  ", "half an object": "{", "a word": "nonsense", "a number": "1", "a string": '"x"',
        "null": "null", "true": "true", "an empty batch": "[]", "a batch of a number": "[1]",
        "a batch of two empty things": "[[],{}]", "an empty object": "{}", "no id": "{%s}" % ok,
        "the id null": '{"id":null,%s}' % ok, "the id 7": '{"id":7,%s}' % ok, "the id -7": '{"id":-7,%s}' % ok,
        "an id of letters": '{"id":"a\\"b\\u00e9/\\n",%s}' % ok, "the id true": '{"id":true,%s}' % ok,
        "the id 1.5": '{"id":1.5,%s}' % ok, "the id 1e3": '{"id":1e3,%s}' % ok,
        "a long id": '{"id":99999999999999999999,%s}' % ok,
        "an id that is an array": '{"id":[1,"a",null],%s}' % ok, "an id that is an object": '{"id":{"a":1},%s}' % ok,
        "no method": '{"id":1}', "a method that is a number": '{"id":1,"method":2}',
        "an empty method": '{"id":1,"method":""}', "an unknown method": '{"id":1,"method":"aria2.nothing"}',
        "a method in other letters": '{"id":1,"method":"ARIA2.getVersion"}',
        "params that are an object": '{"id":1,"params":{},%s}' % ok, "params that are null": '{"id":1,"params":null,%s}' % ok,
        "params that are a string": '{"id":1,"params":"x",%s}' % ok, "too many params": '{"id":1,"params":[1,2,3],%s}' % ok,
        "another version": '{"jsonrpc":"1.0","id":1,%s}' % ok, "a name twice": '{"id":1,"id":2,%s}' % ok,
        "text after it": '{"id":1,%s} x' % ok, "two objects": '{"id":1,%s}{"id":2,%s}' % (ok, ok),
        "a leading zero": '{"id":01,%s}' % ok, "a comma at the end": '{"id":1,%s,}' % ok,
        "half a surrogate pair": '{"id":"\\ud800",%s}' % ok, "a control character": '{"id":"a\nb",%s}' % ok,
        "an unknown escape": '{"id":"\\x",%s}' % ok, "a mark of byte order": '\ufeff{"id":1,%s}' % ok,
        "64 deep": '{"id":1,"a":%s%s,%s}' % ("[" * 60, "]" * 60, ok),
        "30 deep": '{"id":1,"a":%s%s,%s}' % ("[" * 28, "]" * 28, ok), "100,000 deep": "[" * 100_000,
        "a batch of one": '[{"id":1,%s}]' % ok,
        "a batch of good and bad": '[{"id":1,%s},{"id":2,"method":"x"},3,{"id":4}]' % ok,
        "a path that is not served": None,
    }
    for name, body in cases.items():
        if body is None:
            recorder.post(daemon, "protocol", name, '{"id":1,%s}' % ok, path="/other")
        else:
            recorder.post(daemon, "protocol", name, body)
    recorder.post(daemon, "protocol", "bytes that are not UTF-8", b'{"id":"\xff\xfe",%s}' % ok.encode())
    for token in (["token:x"], ["token:"], ["Token:x", "y"]):
        recorder.call(daemon, "protocol", f"a token nobody asks for: {token}", "aria2.getSessionInfo", *token)

    def q(**fields):
        return urllib.parse.urlencode(fields)

    def b64(value):
        return base64.b64encode(json.dumps(value).encode()).decode()

    recorder.get(daemon, "get", "method and id", q(method="aria2.getSessionInfo", id="g"))
    recorder.get(daemon, "get", "with parameters", q(method="aria2.tellStopped", id="g", params=b64([0, 10])))
    recorder.get(daemon, "get", "with a callback", q(method="aria2.getSessionInfo", id="g", jsoncallback="cb"))
    recorder.get(daemon, "get", "a callback and an error", q(method="aria2.x", id="g", jsoncallback="cb"))
    recorder.get(daemon, "get", "a batch", q(params=b64([{"id": 1, "method": "aria2.getSessionInfo"}, {"id": 2, "method": "aria2.x"}])))
    recorder.get(daemon, "get", "a batch with a callback",
                 q(params=b64([{"id": 1, "method": "aria2.getSessionInfo"}]), jsoncallback="cb"))
    recorder.get(daemon, "get", "no id", q(method="aria2.getSessionInfo"))
    recorder.get(daemon, "get", "no method", q(id="g"))
    recorder.get(daemon, "get", "nothing", "")
    recorder.get(daemon, "get", "parameters that are not base64", q(method="aria2.tellStopped", id="g", params="%%%"))
    recorder.get(daemon, "get", "parameters without padding", q(method="aria2.tellStopped", id="g", params=b64([0, 10]).rstrip("=")))
    recorder.get(daemon, "get", "an id with quotes", q(method="aria2.getSessionInfo", id='a"b'))
    recorder.get(daemon, "get", "a number as id", q(method="aria2.getSessionInfo", id="7"))
    recorder.get(daemon, "get", "an odd callback", q(method="aria2.getSessionInfo", id="g", jsoncallback="alert(1);//"))


def system(recorder, daemon):
    def multi(name, *calls):
        recorder.call(daemon, "system", name, "system.multicall", list(calls))

    recorder.call(daemon, "system", "methods", "system.listMethods")
    recorder.call(daemon, "system", "notifications", "system.listNotifications")
    multi("no calls")
    multi("two calls", {"methodName": "aria2.getSessionInfo", "params": []}, {"methodName": "aria2.tellActive", "params": [["gid"]]})
    multi("one good, one bad", {"methodName": "aria2.getSessionInfo"}, {"methodName": "aria2.tellStatus", "params": ["0123"]})
    multi("itself", {"methodName": "system.multicall", "params": [[]]})
    multi("listMethods within", {"methodName": "system.listMethods", "params": []})
    multi("odd entries", 1, "x", {}, {"methodName": 1}, {"methodName": "no.such"}, {"methodName": "aria2.getSessionInfo", "params": {}})
    recorder.call(daemon, "system", "multicall without a list", "system.multicall")
    recorder.call(daemon, "system", "multicall of a string", "system.multicall", "x")
    recorder.call(daemon, "system", "version", "aria2.getVersion")
    recorder.call(daemon, "system", "session", "aria2.getSessionInfo")
    recorder.call(daemon, "system", "saving where no file was named", "aria2.saveSession")
    recorder.call(daemon, "system", "stat", "aria2.getGlobalStat")


def secret(recorder, daemon):
    session = "aria2.getSessionInfo"
    for name, method, params in [
        ("no token", session, []), ("a wrong one", session, ["token:x"]), ("the right one", session, ["token:s3cret-and-longer"]),
        ("the word alone", session, ["s3cret-and-longer"]), ("an empty one", session, ["token:"]), ("a number", session, [1]),
        ("not first", "aria2.tellStopped", [0, 1, "token:s3cret-and-longer"]), ("first", "aria2.tellStopped", ["token:s3cret-and-longer", 0, 1]),
        ("an unknown method without token", "aria2.x", []), ("an unknown method with it", "aria2.x", ["token:s3cret-and-longer"]),
        ("methods without", "system.listMethods", []), ("notifications without", "system.listNotifications", []),
        ("multicall, nobody has it", "system.multicall", [[{"methodName": session, "params": []}]]),
        ("multicall, the call has it", "system.multicall", [[{"methodName": session, "params": ["token:s3cret-and-longer"]}]]),
        ("multicall, only itself has it", "system.multicall", ["token:s3cret-and-longer", [{"methodName": session, "params": []}]]),
        ("multicall, both have it", "system.multicall", ["token:s3cret-and-longer", [{"methodName": session, "params": ["token:s3cret-and-longer"]}]]),
        ("multicall, listMethods within", "system.multicall", [[{"methodName": "system.listMethods", "params": []}]]),
        ("parameters of the wrong type", "aria2.tellStatus", [[]]),
    ]:
        recorder.call(daemon, "secret", name, method, *params)
    recorder.post(daemon, "secret", "a batch, one has it", [
        {"id": 1, "method": session, "params": ["token:s3cret-and-longer"]}, {"id": 2, "method": session, "params": []}])


def queue(recorder, daemon, base):
    g = lambda n: f"{n:016x}"
    def call(name, method, *params): recorder.call(daemon, "queue", name, "aria2." + method, *params)

    def stage(name): recorder.exchanges.append({"section": "queue", "stage": name})

    stage("empty")
    for name, method, params in [
        ("active of none", "tellActive", []), ("waiting of none", "tellWaiting", [0, 10]),
        ("stopped of none", "tellStopped", [-1, 10]), ("waiting without a count", "tellWaiting", [0]),
        ("waiting without anything", "tellWaiting", []), ("a count below zero", "tellWaiting", [0, -1]),
        ("an offset of letters", "tellWaiting", ["0", 1]), ("keys that are a string", "tellWaiting", [0, 1, "gid"]),
        ("keys of numbers", "tellActive", [[1, 2]]), ("an offset with a point", "tellWaiting", [0.5, 1]),
        ("integers with a point", "tellWaiting", [0.0, 10.0]), ("a huge count", "tellWaiting", [0, 99999999999999]), ("stop all of none", "pauseAll", []),
        ("status without a gid", "tellStatus", []), ("status of a number", "tellStatus", [1]),
        ("status of no hex", "tellStatus", ["xyz"]), ("status of an empty gid", "tellStatus", [""]),
        ("status of a long gid", "tellStatus", ["0" * 17]), ("status of an unknown gid", "tellStatus", [g(0xaa)]),
        ("status of an unknown prefix", "tellStatus", ["f"]),
        ("no addresses", "addUri", [[]]), ("addresses that are a string", "addUri", [base + "/f"]),
        ("no parameters", "addUri", []), ("addresses of numbers", "addUri", [[1]]), ("an empty address", "addUri", [[""]]),
        ("an address without scheme", "addUri", [["example.org/f"]]), ("another scheme", "addUri", [["gopher://127.0.0.1/f"]]),
        ("options that are a list", "addUri", [[base + "/f"], []]),
        ("a position below zero", "addUri", [[base + "/f"], {"pause": "true"}, -1]),
        ("a position of letters", "addUri", [[base + "/f"], {"pause": "true"}, "0"]),
        ("a gid of no hex", "addUri", [[base + "/f"], {"gid": "xyz"}]), ("a short gid", "addUri", [[base + "/f"], {"gid": "12"}]),
        ("a gid of zeros", "addUri", [[base + "/f"], {"gid": "0" * 16}]),
        ("split of zero", "addUri", [[base + "/f"], {"split": "0"}]), ("split of letters", "addUri", [[base + "/f"], {"split": "x"}]),
        ("pause of a word", "addUri", [[base + "/f"], {"pause": "maybe"}]),
        ("a rate of letters", "addUri", [[base + "/f"], {"max-download-limit": "fast"}]),
        ("a checksum of another length", "addUri", [[base + "/f"], {"checksum": "sha-256=00"}]),
        ("a checksum of an unknown kind", "addUri", [[base + "/f"], {"checksum": "sha-9=00"}]),
        ("a timeout of 10000", "addUri", [[base + "/f"], {"timeout": "10000"}]),
        ("17 connections", "addUri", [[base + "/f"], {"max-connection-per-server": "17"}]),
        ("a file size of letters", "addUri", [[base + "/f"], {"min-split-size": "x"}]),
        ("a metalink that is none", "addMetalink", ["AAAA"]), ("a metalink that is not base64", "addMetalink", ["%%%"]),
        ("a metalink that is missing", "addMetalink", []), ("a metalink that is a list", "addMetalink", [[]]),
        ("a torrent that is none", "addTorrent", ["AAAA"]), ("a torrent that is missing", "addTorrent", []),
        ("peers of an unknown gid", "getPeers", [g(0xaa)]),
        ("servers of an unknown gid", "getServers", [g(0xaa)]), ("uris of an unknown gid", "getUris", [g(0xaa)]),
        ("files of an unknown gid", "getFiles", [g(0xaa)]), ("options of an unknown gid", "getOption", [g(0xaa)]),
        ("changing those of an unknown gid", "changeOption", [g(0xaa), {}]), ("changing none", "changeOption", [g(0xaa)]),
        ("pause an unknown gid", "pause", [g(0xaa)]), ("unpause an unknown gid", "unpause", [g(0xaa)]),
        ("remove an unknown gid", "remove", [g(0xaa)]), ("the result of an unknown gid", "removeDownloadResult", [g(0xaa)]),
        ("the place of an unknown gid", "changePosition", [g(0xaa), 0, "POS_SET"]),
        ("a place without a way", "changePosition", [g(0xaa), 0]), ("a place by letters", "changePosition", [g(0xaa), "0", "POS_SET"]),
        ("another way to a place", "changePosition", [g(0xaa), 0, "POS_X"]),
        ("addresses of an unknown gid", "changeUri", [g(0xaa), 1, [], []]),
        ("purge of none", "purgeDownloadResult", []), ("unpause all of none", "unpauseAll", []),
    ]:
        call(name, method, *params)

    stage("three wait")
    call("add one", "addUri", [base + "/a.bin", base + "/mirror/a.bin"], {
        "gid": g(0x11) .replace("0000", "1a00", 1), "pause": "true", "out": "a.bin", "split": "4", "max-connection-per-server": "3",
        "header": ["A: 1", "B: 2"], "referer": "http://r/", "user-agent": "u/1", "max-download-limit": "50K",
        "checksum": "sha-1=" + "0" * 40, "http-user": "me", "http-passwd": "pw", "min-split-size": "2M",
        "follow-torrent": "false", "no-such-option": "x", "seed-time": "3", "retry-wait": "2", "max-tries": "7",
        "timeout": "20", "connect-timeout": "9", "lowest-speed-limit": "2K", "allow-overwrite": "true",
        "auto-file-renaming": "false", "continue": "true", "max-file-not-found": "4"})
    call("add another", "addUri", [base + "/b.bin"], {"gid": "2b00000000000022", "pause": "true"})
    call("add one in front", "addUri", [base + "/c.bin"], {"gid": "2c00000000000033", "pause": "true"}, 0)
    a, b, c = "1a00000000000011", "2b00000000000022", "2c00000000000033"
    call("the same gid again", "addUri", [base + "/b.bin"], {"gid": b, "pause": "true"})
    for name, method, params in [
        ("waiting", "tellWaiting", [0, 10]), ("gids", "tellWaiting", [0, 10, ["gid"]]), ("the first", "tellWaiting", [0, 1, ["gid"]]),
        ("the second", "tellWaiting", [1, 1, ["gid"]]), ("after the end", "tellWaiting", [3, 1, ["gid"]]),
        ("the last", "tellWaiting", [-1, 1, ["gid"]]), ("the last two", "tellWaiting", [-1, 2, ["gid"]]),
        ("the last but one", "tellWaiting", [-2, 1, ["gid"]]), ("ten from the last but one", "tellWaiting", [-2, 10, ["gid"]]),
        ("before the beginning", "tellWaiting", [-4, 1, ["gid"]]), ("none of them", "tellWaiting", [0, 0, ["gid"]]),
        ("none from the end", "tellWaiting", [-1, 0, ["gid"]]), ("a thousand", "tellWaiting", [0, 1000, ["gid"]]),
        ("status", "tellStatus", [a]), ("status of a prefix", "tellStatus", ["1a", ["gid", "status"]]),
        ("status of an ambiguous prefix", "tellStatus", ["2"]), ("status in capitals", "tellStatus", [a.upper(), ["gid"]]),
        ("no keys", "tellStatus", [a, []]), ("unknown keys", "tellStatus", [a, ["nothing"]]),
        ("keys in their order", "tellStatus", [a, ["status", "gid", "dir", "gid"]]),
        ("files", "getFiles", [a]), ("uris", "getUris", [a]), ("servers", "getServers", [a]), ("peers", "getPeers", [a]),
        ("options", "getOption", [a]), ("pause a paused one", "pause", [a]), ("force it", "forcePause", [a]),
        ("to the end", "changePosition", [c, 0, "POS_END"]), ("to the front", "changePosition", [c, 0, "POS_SET"]),
        ("one down", "changePosition", [c, 1, "POS_CUR"]), ("far down", "changePosition", [c, 99, "POS_CUR"]),
        ("far up", "changePosition", [c, -99, "POS_CUR"]), ("before the end", "changePosition", [c, -1, "POS_END"]),
        ("below zero", "changePosition", [c, -5, "POS_SET"]), ("beyond the end", "changePosition", [c, 50, "POS_SET"]),
        ("another address", "changeUri", [b, 1, [base + "/b.bin"], [base + "/b2.bin", base + "/b3.bin"]]),
        ("its addresses", "getUris", [b]), ("in front", "changeUri", [b, 1, [], [base + "/b0.bin"], 0]),
        ("its addresses then", "getUris", [b]), ("unknown addresses", "changeUri", [b, 1, ["http://x/"], ["nonsense", 1]]),
        ("file two", "changeUri", [b, 2, [], []]), ("file zero", "changeUri", [b, 0, [], []]),
        ("a place below zero", "changeUri", [b, 1, [], [], -1]), ("addresses that are missing", "changeUri", [b, 1]),
        ("change options", "changeOption", [b, {"max-download-limit": "100K", "out": "other.bin", "split": "2"}]),
        ("its options", "getOption", [b]), ("change to nonsense", "changeOption", [b, {"max-download-limit": "fast"}]),
        ("change what cannot be changed", "changeOption", [b, {"dry-run": "true", "gid": "x"}]),
        ("options that are missing", "changeOption", [b]), ("options of the wrong type", "changeOption", [b, []]),
        ("an option that is a number", "changeOption", [b, {"split": 3}]),
        ("result of one that waits", "removeDownloadResult", [a]), ("stat", "getGlobalStat", []),
        ("global options", "getGlobalOption", []),
        ("change global ones", "changeGlobalOption", [{"max-overall-download-limit": "1M", "max-concurrent-downloads": "2"}]),
        ("change them back", "changeGlobalOption", [{"max-overall-download-limit": "0", "max-concurrent-downloads": "1"}]),
        ("change a global one to nonsense", "changeGlobalOption", [{"max-concurrent-downloads": "many"}]),
        ("change an unknown one", "changeGlobalOption", [{"no-such-option": "1"}]),
        ("change one that stays", "changeGlobalOption", [{"enable-rpc": "false"}]),
        ("no global options", "changeGlobalOption", []),
        ("remove one", "remove", [c]),
    ]:
        call(name, method, *params)
    call("the removed one", "tellStatus", c)
    call("remove it again", "remove", c)
    call("force that", "forceRemove", c)
    call("pause the removed one", "pause", c)
    call("unpause the removed one", "unpause", c)
    call("stopped", "tellStopped", 0, 10)
    call("place of a removed one", "changePosition", c, 0, "POS_SET")
    call("uris of a removed one", "getUris", c)
    call("its result", "removeDownloadResult", c)
    call("its status then", "tellStatus", c)

    stage("one is active, one waits")
    h, w = "3d00000000000044", "3e00000000000055"
    call("add an active one", "addUri", [base + "/held"], {"gid": h, "out": "held.bin"})
    until(lambda: is_held(daemon, h))
    call("add one that waits", "addUri", [base + "/held"], {"gid": w, "out": "held2.bin"})
    for name, method, params in [
        ("active", "tellActive", []), ("active gids", "tellActive", [["gid"]]), ("its status", "tellStatus", [h]),
        ("its files", "getFiles", [h]), ("its uris", "getUris", [h]), ("its servers", "getServers", [h]), ("its peers", "getPeers", [h]),
        ("what waits", "tellStatus", [w]), ("servers of what waits", "getServers", [w]), ("unpause what waits", "unpause", [w]),
        ("unpause what is active", "unpause", [h]), ("place of what is active", "changePosition", [h, 0, "POS_SET"]),
        ("place of what waits", "changePosition", [w, 0, "POS_SET"]),
        ("change an active one", "changeOption", [h, {"max-download-limit": "1M"}]),
        ("result of an active one", "removeDownloadResult", [h]), ("stat then", "getGlobalStat", []),
        ("pause what waits", "pause", [w]),
        ("what is paused", "tellStatus", [w, ["gid", "status"]]), ("pause what is active", "forcePause", [h]),
    ]:
        call(name, method, *params)
    until(lambda: status(daemon, h) == "paused")
    call("what was active", "tellStatus", h)
    call("its servers then", "getServers", h)
    call("unpause it", "unpause", h)
    until(lambda: is_held(daemon, h))
    call("remove it while active", "forceRemove", h)
    until(lambda: status(daemon, h) == "removed")
    call("then", "tellStatus", h)

    stage("some have stopped")
    for gid, name in [("4f00000000000061", "whole"), ("4f00000000000062", "gone"), ("4f00000000000063", "shut"), ("4f00000000000064", "busy"),
                      ("4f00000000000065", "barred"), ("4f00000000000066", "unreachable")]:
        site = "http://127.0.0.1:1" if name == "unreachable" else base
        call(f"add {name}", "addUri", [f"{site}/{name}"], {"gid": gid})
        until(lambda: status(daemon, gid) in ("complete", "error"))
        call(f"status of {name}", "tellStatus", gid)
    done = "4f00000000000061"
    for name, method, params in [
        ("stopped", "tellStopped", [0, 10]), ("stopped gids", "tellStopped", [0, 10, ["gid", "status"]]),
        ("from the last", "tellStopped", [-1, 2, ["gid"]]),
        ("pause a complete one", "pause", [done]), ("unpause a complete one", "unpause", [done]), ("remove a complete one", "remove", [done]),
        ("its files", "getFiles", [done]), ("its uris", "getUris", [done]), ("its servers", "getServers", [done]), ("its options", "getOption", [done]),
        ("change its options", "changeOption", [done, {}]), ("its place", "changePosition", [done, 0, "POS_SET"]),
        ("its result", "removeDownloadResult", [done]), ("its status then", "tellStatus", [done]), ("stat", "getGlobalStat", []),
        ("purge", "purgeDownloadResult", []), ("stopped then", "tellStopped", [0, 10]), ("stat then", "getGlobalStat", []),
        ("pause all", "pauseAll", []), ("force all", "forcePauseAll", []), ("what waits then", "tellWaiting", [0, 9, ["gid", "status"]]),
        ("unpause all", "unpauseAll", []),
    ]:
        call(name, method, *params)
    metalink = ('<?xml version="1.0"?><metalink xmlns="urn:ietf:params:xml:ns:metalink">'
                f'<file name="m1.bin"><size>5</size><url priority="1">{base}/m1.bin</url><url priority="2">{base}/x/m1.bin</url></file>'
                f'<file name="m2.bin"><url>{base}/m2.bin</url></file></metalink>')
    text = base64.b64encode(metalink.encode()).decode()
    recorder.words[text] = "METALINK"
    call("add a metalink", "addMetalink", text, {"pause": "true"})
    call("its jobs", "tellWaiting", -1, 2, ["dir", "files", "status", "numPieces", "completedLength"])
    call("add it in front", "addMetalink", text, {"pause": "true", "dir": daemon.directory + "/sub"}, 0)
    call("its jobs then", "tellWaiting", 0, 2, ["dir", "files", "status"])


def again(recorder, daemon, base):
    """What was removed is added again: its bytes are still there."""
    def call(name, method, *params): recorder.call(daemon, "again", name, "aria2." + method, *params)

    first, second = "7a00000000000091", "7a00000000000092"
    call("add", "addUri", [base + "/held-again"], {"gid": first, "out": "again.bin"})
    until(lambda: is_held(daemon, first))
    call("remove", "forceRemove", first)
    until(lambda: status(daemon, first) == "removed")
    call("the removed one", "tellStatus", first, ["status", "errorCode", "totalLength"])
    call("what has stopped", "tellStopped", 0, 10, ["gid", "status"])
    call("what waits", "tellWaiting", 0, 10, ["gid", "status"])
    call("add it again", "addUri", [base + "/held-again"], {"gid": second, "out": "again.bin"})
    until(lambda: is_held(daemon, second))
    call("it goes on", "tellStatus", second, ["status", "completedLength", "totalLength"])
    until(lambda: Files.asked["held-again"][-1])
    recorder.note("again", "what the server was asked for", "", 200, None, json.dumps(Files.asked["held-again"][-1]).encode())
    call("remove it again", "forceRemove", second)
    until(lambda: status(daemon, second) == "removed")
    call("purge", "purgeDownloadResult")
    call("what has stopped then", "tellStopped", 0, 10, ["gid", "status"])


def xml(recorder, daemon, base):
    def post(name, body):
        recorder.note("xml", name, body, *daemon.ask("POST", "/rpc", body), via="XML")

    def call(name, method, *params):
        post(name, xmlrpc.client.dumps(params, method))

    token, gid = "token:s3cret-and-longer", "6a00000000000081"
    session = "aria2.getSessionInfo"
    call("no token", session)
    call("session", session, token)
    call("an unknown method", "aria2.nothing", token)
    call("add", "aria2.addUri", token, [base + "/a?b=1&c='2'\"<"], {"gid": gid, "pause": "true", "split": 2, "out": "a&b"})
    call("status", "aria2.tellStatus", token, gid)
    call("some of it", "aria2.tellStatus", token, gid, ["gid", "status"])
    call("uris", "aria2.getUris", token, gid)
    call("place", "aria2.changePosition", token, gid, 5, "POS_SET")
    call("what waits", "aria2.tellWaiting", token, 0, 10, ["gid"])
    call("pause it", "aria2.pause", token, gid)
    call("stat", "aria2.getGlobalStat", token)
    call("a metalink that is none", "aria2.addMetalink", token, xmlrpc.client.Binary(b"none"))
    call("several", "system.multicall", [
        {"methodName": session, "params": [token]}, {"methodName": session, "params": []}, {"methodName": "aria2.x", "params": [token]}])
    call("several of nothing", "system.multicall")
    call("remove it", "aria2.remove", token, gid)
    for name, body in [("nothing", ""), ("a word", "nonsense"), ("another document", "<a/>"), ("not closed", "<methodCall>"),
                       ("no name", "<methodCall><params/></methodCall>"),
                       ("a text without type", "<methodCall><methodName>aria2.tellStatus</methodName><params><param><value>token:s3cret-and-longer</value>"
                        "</param><param><value>xyz</value></param></params></methodCall>")]:
        post(name, body)


def websocket(recorder, daemon, base):
    def note(name, request, answer):
        recorder.note("websocket", name, request, None, None, answer.encode(), via="WS")

    socket_ = WebSocket(daemon.port)
    gid = "5a00000000000071"
    for name, request in [("a call", '{"id":"w","method":"aria2.tellStopped","params":[0,1]}'), ("nonsense", "{"), ("a number", "1"),
                          ("a batch", '[{"id":1,"method":"aria2.tellActive"},{"id":2,"method":"x"}]'), ("an empty batch", "[]"),
                          ("an error", '{"id":"w","method":"aria2.x"}')]:
        socket_.send(request)
        try:
            note(name, request, socket_.receive())
        except OSError as error:
            note(name, request, f"({error})")
            socket_ = WebSocket(daemon.port)
    daemon.call("aria2.changeGlobalOption", {"max-concurrent-downloads": "5"})

    def events(name, count):
        heard = [socket_.receive() for _ in range(count)]
        for index, text in enumerate(heard):
            note(f"{name} {index + 1}", "", text)

    daemon.call("aria2.addUri", [base + "/whole"], {"gid": gid, "out": "ws1"})
    events("a complete one", 2)
    daemon.call("aria2.addUri", [base + "/gone"], {"gid": "5a00000000000072"})
    events("one that is not there", 2)
    daemon.call("aria2.addUri", [base + "/held"], {"gid": "5a00000000000073", "out": "ws3"})
    events("an active one", 1)
    daemon.call("aria2.forcePause", "5a00000000000073")
    events("paused", 1)
    daemon.call("aria2.unpause", "5a00000000000073")
    events("again", 1)
    daemon.call("aria2.forceRemove", "5a00000000000073")
    events("removed", 1)
    daemon.call("aria2.addUri", [base + "/held"], {"gid": "5a00000000000074", "out": "ws4", "pause": "true"})
    daemon.call("aria2.remove", "5a00000000000074")
    daemon.call("aria2.addUri", [base + "/whole"], {"gid": "5a00000000000075", "out": "ws5"})
    events("a waiting one removed, then one complete", 2)


def exchanges(start):
    """Makes all calls with programs that `start(directory, secret)` starts; returns the exchanges, with words for what is by chance."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Files)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    home = tempfile.mkdtemp()
    daemons = []
    Files.release.clear()
    Files.asked.clear()

    def begin(name, secret=None):
        daemons.append(start(f"{home}/{name}", secret))
        return daemons[-1]

    try:
        open_, closed = begin("d"), begin("e", "s3cret-and-longer")
        recorder = Recorder({base: "http://host", home + "/d": "/DIR", home: "/HOME", "s3cret-and-longer": "s3cret"})
        protocol(recorder, open_)
        system(recorder, open_)
        secret(recorder, closed)
        queue(recorder, open_, base)
        xml(recorder, closed, base)
        again(recorder, begin("g"), base)
        websocket(recorder, begin("f"), base)
        recorder.call(open_, "system", "stopping", "aria2.shutdown")
        recorder.call(closed, "system", "stopping at once", "aria2.forceShutdown", "token:s3cret-and-longer")
    finally:
        Files.release.set()
        for daemon in daemons:
            daemon.end()
        server.shutdown()
        shutil.rmtree(home)
    session = re.compile(r'("sessionId":\s*"|sessionId</name><value><string>)[0-9a-f]{40}')
    for exchange in recorder.exchanges:
        if "answer" in exchange:
            exchange["answer"] = session.sub(r"\1SESSION", exchange["answer"])
    return recorder.exchanges


def version():
    return subprocess.run(["aria2c", "--version"], capture_output=True, text=True).stdout.split("\n")[0]


def main():
    all_of_them = exchanges(Daemon)
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in all_of_them)
    (HERE / "answers.json").write_text(f'{{"program": "{version()}", "exchanges": [\n{lines}\n]}}\n')
    print(len(all_of_them), "exchanges")


if __name__ == "__main__":
    main()

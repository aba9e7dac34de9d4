// A server and a proxy that really require Digest, NTLM or Basic: the fault server only knows Basic.

import FaultServer
import Foundation

/// A running Python server. It ends with its sandbox.
struct ChallengeServer: Sendable {
  /// A received request.
  struct Seen: Decodable, Sendable {
    let connection: Int
    let method: String
    let target: String
    let status: Int
    let fields: [String: String]
  }

  private let running: RunningProgram
  private let directory: String

  /// The password of the user ann.
  static let password = "PLANTED-s3cret"

  /// Starts the server on its own port, and waits until it listens. The resource at `/md5/f`, `/sha256/f`, `/stale/f`,
  /// `/ntlm/f`, `/both/f` and `/basic/f` is `content`; the first part of the path names the required scheme.
  /// - Parameter proxy: The scheme that it requires as a proxy; nil if it is not a proxy.
  init(in sandbox: Sandbox, _ content: Content = .fixed([]), proxy: String? = nil) async throws {
    directory = sandbox.root + "/challenge-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try content.write(toFileAt: directory + "/f")
    running = try sandbox.launch(
      try toolPath("python3"), ["-c", Self.program, directory, Self.password, proxy ?? ""])
    try await running.wait(for: "the port") { [running] in running.output.contains("\n") }
  }

  private var port: String { running.output.prefix { $0 != "\n" }.description }

  /// The URL of `path`, or the address of the proxy.
  func url(_ path: String = "") -> String { "http://127.0.0.1:\(port)\(path)" }

  /// The requests so far.
  var requests: [Seen] {
    let text = FileManager.default.contents(atPath: directory + "/log") ?? Data()
    return text.split(separator: 0x0A).compactMap { try? JSONDecoder().decode(Seen.self, from: $0) }
  }

  private static let program = #"""
    import base64, hashlib, json, os, re, socket, struct, sys, threading, urllib.request
    directory, password, proxy = sys.argv[1:4]
    user, realm = "ann", "the realm"
    nonces, lock = {}, threading.Lock()
    log = open(directory + "/log", "a", buffering=1)

    def digest(name, text):
        return hashlib.new({"MD5": "md5", "SHA-256": "sha256"}[name], text.encode()).hexdigest()

    def challenge(name, stale=False):
        nonce = os.urandom(12).hex()
        with lock: nonces[nonce] = 0
        return ('Digest realm="%s", qop="auth", nonce="%s", opaque="o,o", algorithm=%s%s'
                % (realm, nonce, name, ", stale=true" if stale else ""))

    def digest_ok(name, method, target, value, once):
        """True, False, or None for a nonce that was good before. To a proxy libcurl names the path only."""
        if not value.lower().startswith("digest "): return False
        got = {k: a or b for k, a, b in re.findall(r'(\w+)=(?:"([^"]*)"|([^",\s]+))', value[7:])}
        try:
            ha1 = digest(name, "%s:%s:%s" % (user, realm, password))
            ha2 = digest(name, "%s:%s" % (method, got["uri"]))
            want = digest(name, ":".join([ha1, got["nonce"], got["nc"], got["cnonce"], got["qop"], ha2]))
            right = (want == got["response"] and target.endswith(got["uri"]) and got["username"] == user
                     and got["opaque"] == "o,o" and got["realm"] == realm)
            with lock:
                if got["nonce"] not in nonces: return False
                count, last = int(got["nc"], 16), nonces[got["nonce"]]
                nonces[got["nonce"]] = count
        except KeyError:
            return False
        if right and once and count == 1 and not stale_done.get(target):
            stale_done[target] = True
            return None
        return right and count > last
    stale_done = {}

    def basic_ok(value):
        return value == "Basic " + base64.b64encode(("%s:%s" % (user, password)).encode()).decode()

    def ntlm(value, state):
        """The challenge to send, or None where the connection is authenticated."""
        if state.get("ntlm"): return None
        if not value.startswith("NTLM "): return "NTLM"
        message = base64.b64decode(value[5:])
        if message[8:12] == b"\1\0\0\0":
            name = b"D\0"
            second = (b"NTLMSSP\0" + struct.pack("<I", 2) + struct.pack("<HHI", len(name), len(name), 48)
                      + struct.pack("<I", 0x00008201) + b"12345678" + bytes(8)
                      + struct.pack("<HHI", 0, 0, 50) + name)
            return "NTLM " + base64.b64encode(second).decode()
        length, _, at = struct.unpack("<HHI", message[36:44])
        name = message[at:at + length]
        if name in (b"ann", "ann".encode("utf-16-le")):
            state["ntlm"] = True
            return None
        return "NTLM"

    def demand(kind, method, target, value, state):
        """The challenges to send, or None where the credentials are good."""
        if kind == "basic": return None if basic_ok(value) else ['Basic realm="%s"' % realm]
        if kind == "ntlm":
            answer = ntlm(value, state)
            return None if answer is None else [answer]
        if kind == "both":
            good = digest_ok("MD5", method, target, value, False)
            return None if good else [challenge("MD5") + ', Basic realm="a, b"']
        name = "SHA-256" if kind == "sha256" else "MD5"
        good = digest_ok(name, method, target, value, kind == "stale")
        return None if good else [challenge(name, stale=good is None)]

    def read_head(file):
        line = file.readline(65536).decode("latin-1").split()
        if len(line) < 3: return None
        fields = {}
        while True:
            text = file.readline(65536).decode("latin-1").strip()
            if not text: return line[0], line[1], fields
            name, _, value = text.partition(":")
            fields[name.lower()] = value.strip()

    def answer(sock, status, fields, body=b"", head=False):
        text = "HTTP/1.1 %d X\r\n" % status + "".join("%s: %s\r\n" % f for f in fields)
        sock.sendall(text.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + (b"" if head else body))

    def file_answer(method, fields):
        body = open(directory + "/f", "rb").read()
        etag = '"' + hashlib.md5(body).hexdigest() + '"'
        always = [("ETag", etag), ("Accept-Ranges", "bytes")]
        wanted = re.match(r"bytes=(\d+)-(\d*)$", fields.get("range", ""))
        if wanted and fields.get("if-range", etag) == etag:
            low = int(wanted[1]); high = int(wanted[2] or len(body) - 1)
            return 206, always + [("Content-Range", "bytes %d-%d/%d" % (low, high, len(body)))], body[low:high + 1]
        return 200, always, body

    def relay(one, other):
        try:
            while True:
                data = one.recv(65536)
                if not data: break
                other.sendall(data)
        except OSError: pass
        for s in (one, other):
            try: s.shutdown(socket.SHUT_RDWR)
            except OSError: pass

    def serve(sock, number):
        file, state = sock.makefile("rb"), {}
        try:
            while True:
                request = read_head(file)
                if not request: return
                method, target, fields = request
                def note(status):
                    log.write(json.dumps({"connection": number, "method": method, "target": target, "status": status,
                                          "fields": fields}) + "\n")
                if proxy:
                    challenges = demand(proxy, method, target, fields.get("proxy-authorization", ""), state)
                    if challenges:
                        note(407)
                        answer(sock, 407, [("Proxy-Authenticate", c) for c in challenges], b"no\n", method == "HEAD")
                        continue
                    note(200)
                    if method == "CONNECT":
                        host, _, port = target.rpartition(":")
                        other = socket.create_connection((host, int(port)))
                        sock.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
                        threading.Thread(target=relay, args=(other, sock), daemon=True).start()
                        return relay(sock, other)
                    forwarded = urllib.request.Request(target, method=method)
                    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
                    with opener.open(forwarded) as reply:
                        answer(sock, reply.status, [("Via", "1.1 test")], reply.read(), method == "HEAD")
                    continue
                kind = target.split("/")[1]
                challenges = demand(kind, method, target, fields.get("authorization", ""), state)
                if challenges:
                    note(401)
                    answer(sock, 401, [("WWW-Authenticate", c) for c in challenges], b"not yet\n", method == "HEAD")
                else:
                    status, more, body = file_answer(method, fields)
                    note(status)
                    cut = "cut" in target and "range" not in fields
                    if cut:
                        text = "HTTP/1.1 200 X\r\n" + "".join("%s: %s\r\n" % f for f in more)
                        sock.sendall(text.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body[:len(body) // 2])
                        return
                    answer(sock, status, more, body, method == "HEAD")
        except OSError:
            pass
        finally:
            file.close(); sock.close()

    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    print(listener.getsockname()[1], flush=True)
    number = 0
    while True:
        accepted, _ = listener.accept()
        number += 1
        threading.Thread(target=serve, args=(accepted, number), daemon=True).start()
    """#
}

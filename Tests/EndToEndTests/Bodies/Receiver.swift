// A Python server that receives bodies: the independent implementation of forms, multipart and Digest in the tests.

import Foundation

/// A running receiver. It ends with its sandbox.
struct Receiver: Sendable {
  /// A part of a multipart body, as Python's own parser reads it.
  struct Part: Decodable, Equatable {
    let name: String
    let filename: String?
    let type: String?
    let length: Int
    let sha256: String
  }

  /// A received request.
  struct Request: Decodable {
    let method: String
    let path: String
    let headers: [String: String]
    let length: Int
    let sha256: String
    /// The body, if it is short and UTF-8.
    let text: String?
    /// The fields of a form.
    let fields: [[String]]?
    let parts: [Part]?
  }

  let url: String
  private let directory: String

  /// Starts it in `sandbox` and waits until it listens.
  init(in sandbox: Sandbox) async throws {
    let directory = sandbox.root + "/receiver-\(UUID().uuidString.prefix(8))"
    self.directory = directory
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Data(Self.program.utf8).write(to: URL(fileURLWithPath: directory + "/receiver.py"))
    let running = try sandbox.launch(toolPath("python3"), [directory + "/receiver.py", directory])
    try await running.wait(for: "the receiver to listen") { Self.read(directory + "/port")?.hasSuffix("\n") ?? false }
    url = "http://127.0.0.1:\((Self.read(directory + "/port") ?? "").dropLast())"
  }

  private static func read(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The requests so far, with their bodies.
  var requests: [Request] {
    get throws {
      try (Self.read(directory + "/requests") ?? "").split(separator: "\n").map {
        try JSONDecoder().decode(Request.self, from: Data($0.utf8))
      }
    }
  }

  /// Whether a request for `/slow` has arrived; its body is not read until ``go()``.
  var isHolding: Bool { FileManager.default.fileExists(atPath: directory + "/holding") }

  /// Releases held answers.
  func go() throws { try Data().write(to: URL(fileURLWithPath: directory + "/go")) }

  /// `/STATUS?to=URL` redirects; `/none` answers 204, `/page/NAME` 201 with a page; `/cut` reads everything and hangs
  /// up; `/slow` does not read the body until ``go()``; `/digest` requires Digest, user `u`, password `p`. Everything
  /// else returns the length of the body.
  private static let program = #"""
    import email.parser, email.policy, hashlib, http.server, json, os, re, sys, time, urllib.parse, urllib.request
    home = sys.argv[1]
    def h(text): return hashlib.md5(text.encode()).hexdigest()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def log_message(self, *a): pass
        def reply(self, status, body=b"", fields=()):
            self.send_response(status)
            for name, value in fields: self.send_header(name, value)
            if status != 204: self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if status != 204 and self.command != "HEAD": self.wfile.write(body)
        def take(self):
            left = int(self.headers.get("Content-Length") or 0)
            digest, kept, total = hashlib.sha256(), b"", left
            if self.path.startswith("/slow"):
                kept = self.rfile.read(min(left, 1 << 16)); left -= len(kept); digest.update(kept)
                open(home + "/holding", "w").close()
                while not os.path.exists(home + "/go"): time.sleep(0.02)
            while left:
                block = self.rfile.read(min(left, 1 << 20))
                if not block: return None
                left -= len(block); digest.update(block)
                if total <= 64 << 20: kept += block
            return kept, digest.hexdigest(), total
        def record(self, kept, digest, total):
            seen = {"method": self.command, "path": self.path, "headers": dict(self.headers.items()),
                    "length": total, "sha256": digest, "text": None, "fields": None, "parts": None}
            try:
                if total <= 4096: seen["text"] = kept.decode()
            except UnicodeDecodeError: pass
            kind = self.headers.get("Content-Type") or ""
            if kind == "application/x-www-form-urlencoded" and total <= 1 << 20:
                seen["fields"] = urllib.parse.parse_qsl(kept.decode(), keep_blank_values=True)
            if kind.startswith("multipart/form-data") and total <= 64 << 20:
                head = ("Content-Type: %s\r\n\r\n" % kind).encode()
                message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + kept)
                seen["parts"] = [{"name": p.get_param("name", header="content-disposition"), "filename": p.get_filename(),
                                  "type": p.get("Content-Type"), "length": len(p.get_payload(decode=True)),
                                  "sha256": hashlib.sha256(p.get_payload(decode=True)).hexdigest()}
                                 for p in message.iter_parts()]
            with open(home + "/requests", "a") as out: out.write(json.dumps(seen) + "\n")
        def handle_one(self):
            taken = self.take()
            if taken is None:
                self.close_connection = True
                return
            self.record(*taken)
            path, _, query = self.path.partition("?")
            word = path.strip("/")
            if word.isdigit():
                return self.reply(int(word), b"", [("Location", urllib.parse.unquote(query[3:]))])
            if word == "none": return self.reply(204)
            if word.startswith("page/"):
                return self.reply(201, b"<!DOCTYPE html>\n<title>201 Created</title>\n", [("Content-Type", "text/html")])
            if word == "cut":
                self.close_connection = True
                return
            if word == "digest" and not self.allowed():
                return self.reply(401, b"", [("WWW-Authenticate", 'Digest realm="r", nonce="n0nce", qop="auth"')])
            self.reply(200, b"%d bytes\n" % taken[2])
        def allowed(self):
            header = self.headers.get("Authorization") or ""
            if not header.startswith("Digest "): return False
            f = urllib.request.parse_keqv_list(urllib.request.parse_http_list(header[7:]))
            a1, a2 = h("u:r:p"), h(self.command + ":" + self.path)
            return f["response"] == h(":".join([a1, f["nonce"], f["nc"], f["cnonce"], f["qop"], a2]))
        do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = handle_one

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with open(home + "/port", "w") as out: out.write("%d\n" % server.server_address[1])
    server.serve_forever()
    """#
}

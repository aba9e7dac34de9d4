// Streams of HTTP/2 that a server resets or forgets: R42, R44.

import FaultServer
import Foundation
import Testing

@Suite("Streams of HTTP/2")
struct StreamTests {
  private static let content = Content.generated(seed: 7, size: 48_000)

  /// A server of one file. `reset CODE CUT`: over HTTP/2 its answers have no length, and the first is reset with the code
  /// after CUT bytes; `h2` in the third word: it speaks nothing else. `silent`: its first connection answers one request
  /// and is silent from then on. It prints the number of the connection of each request.
  private static let program = """
    import socket, ssl, struct, sys, threading
    certificate, key, path, mode, code, cut, protocols = sys.argv[1:8]
    body, code, cut = open(path, "rb").read(), int(code), int(cut)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(protocols.split(","))
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    print(listener.getsockname()[1], flush=True)
    lock, asked = threading.Lock(), 0

    def frame(kind, flags, stream, data):
        return struct.pack(">I", len(data))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + data

    def answer(line, stream, number):
        global asked
        with lock:
            asked += 1
            count = asked
            print(number, flush=True)
        if mode == "silent" and number == 1 and count > 1:
            return
        length = b"\\x00\\x0econtent-length" + bytes([len(str(len(body)))]) + str(len(body)).encode()
        end = cut if mode == "reset" and count == 1 else len(body)
        with lock:
            line.sendall(frame(1, 4, stream, b"\\x88" + (length if mode == "silent" else b"")))
            for at in range(0, end, 10000):
                piece = body[at:min(end, at + 10000)]
                line.sendall(frame(0, int(at + len(piece) == len(body)), stream, piece))
            if end < len(body):
                line.sendall(frame(3, 0, stream, struct.pack(">I", code)))

    def serve(plain, number):
        try:
            line = context.wrap_socket(plain, server_side=True)
            reader = line.makefile("rb")
            if line.selected_alpn_protocol() != "h2":
                if "http/1.1" not in protocols:
                    return line.shutdown(socket.SHUT_RDWR)
                head = b""
                while not head.endswith(b"\\r\\n\\r\\n"):
                    head += reader.readline()
                start = int(head.lower().split(b"range: bytes=")[1].split(b"-")[0])
                print(number, "from", start, flush=True)
                line.sendall(b"HTTP/1.1 206 Partial Content\\r\\nContent-Length: %d\\r\\nContent-Range: bytes %d-%d/%d\\r\\n\\r\\n"
                    % (len(body) - start, start, len(body) - 1, len(body)) + body[start:])
                return reader.read()
            reader.read(24)
            line.sendall(frame(4, 0, 0, b""))
            while True:
                head = reader.read(9)
                length, kind, flags = int.from_bytes(head[:3], "big"), head[3], head[4]
                stream, data = int.from_bytes(head[5:], "big"), reader.read(length)
                if kind == 4 and not flags & 1:
                    line.sendall(frame(4, 1, 0, b""))
                elif kind == 6 and not flags & 1:
                    line.sendall(frame(6, 1, 0, data))
                elif kind == 1:
                    answer(line, stream, number)
        except (OSError, IndexError):
            pass

    number = 0
    while True:
        plain = listener.accept()[0]
        number += 1
        threading.Thread(target=serve, args=(plain, number), daemon=True).start()
    """

  /// Starts the server, and returns it with its port and the certificate of its authority.
  private static func start(
    in sandbox: Sandbox, _ words: String...
  ) async throws -> (server: RunningProgram, port: String, authority: String) {
    let certificates = try await Certificates(in: sandbox)
    let file = sandbox.root + "/body"
    try content.write(toFileAt: file)
    let server = try sandbox.launch(
      try toolPath("python3"),
      ["-c", program, certificates.certificate(.good), certificates.key(.good), file] + words)
    try await server.wait(for: "the port") { server.output.contains("\n") }
    return (server, String(server.output.prefix { $0 != "\n" }), certificates.authority)
  }

  @Test(
    "R42 a reset is no end: the bytes after it are asked for",
    arguments: [("0", "h2,http/1.1"), ("8", "h2,http/1.1"), ("2", "h2,http/1.1"), ("0", "h2")])
  func resetStream(code: String, protocols: String) async throws {
    try await Sandbox.use { sandbox in
      let (server, port, authority) = try await Self.start(in: sandbox, "reset", code, "30000", protocols)
      let finished = try await sandbox.dray(
        "get", "https://127.0.0.1:\(port)/f", "--cacert", authority, "--retry-wait", "0.05")
      // A server that speaks only HTTP/2 sends the whole again, twice the same.
      let isProved = protocols != "h2"
      expect(finished, exits: 0, saying: isProved ? "complete" : "length unverified")
      sandbox.expectFiles(["f": Self.content], finished)
      if isProved {
        #expect(server.output.contains(" from ") && !finished.text.contains("unverified"), "\(server.output)")
      }
    }
  }

  @Test("R44 a silent connection is given up by all its requests, and the retries open another")
  func silentConnection() async throws {
    try await Sandbox.use { sandbox in
      let (server, port, authority) = try await Self.start(in: sandbox, "silent", "0", "0", "h2")
      let names = ["a", "b", "c", "d", "e"]
      let urls = names.map { "https://127.0.0.1:\(port)/\($0)" }
      let options = ["--cacert", authority, "--stall-timeout", "1", "--retry-wait", "0.05"]
      let finished = try await sandbox.dray(["get"] + urls + options)
      expect(finished, exits: 0)
      sandbox.expectFiles(Dictionary(uniqueKeysWithValues: names.map { ($0, Self.content) }), finished)
      let connections = server.output.split(separator: "\n").dropFirst().map { Int($0) ?? 0 }
      let others = connections.count { $0 > 1 }
      #expect(others >= names.count - 1, "\(connections)")
    }
  }
}

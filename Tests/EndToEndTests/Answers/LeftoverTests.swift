// Bytes beyond the end of an answer, in a separate packet while the next job waits, over plain
// connections and over TLS (H13).

import FaultServer
import Foundation
import Testing

@Suite("Leftovers of an answer")
struct LeftoverTests {
  /// Answers `/a`, sends one more answer after it once the file `go` exists, and then answers `/b` correctly.
  private static let program = """
    import fcntl, os, socket, ssl, struct, sys, termios, threading, time
    go, certificate, key = sys.argv[1:4]
    context = None
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
    listener = socket.create_server(("127.0.0.1", 0), backlog=16)
    print(listener.getsockname()[1], flush=True)
    count = 0

    def answer(text):
        return b"HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n%s" % (len(text), text)

    def serve(plain, number):
        try:
            connection = context.wrap_socket(plain, server_side=True) if context else plain
            while True:
                head = b""
                while not head.endswith(b"\\r\\n\\r\\n"):
                    more = connection.recv(65536)
                    if not more:
                        return
                    head += more
                path = head.split()[1].decode()
                print(path, number, flush=True)
                if path != "/a":
                    connection.sendall(answer(b"right"))
                    continue
                connection.sendall(answer(b"first"))
                while not os.path.exists(go):
                    time.sleep(0.005)
                connection.sendall(answer(b"wrong"))
                while struct.unpack("i", fcntl.ioctl(connection.fileno(), termios.TIOCOUTQ, b"....")) != (0,):
                    time.sleep(0.005)
                print("sent", flush=True)
        except OSError:
            pass

    while True:
        count += 1
        threading.Thread(target=serve, args=(listener.accept()[0], count), daemon=True).start()
    """

  @Test("H13 an answer behind the answer, sent while another job is active", arguments: [false, true])
  func late(isSecure: Bool) async throws {
    try await Sandbox.use { sandbox in
      let certificates = isSecure ? try await Certificates(in: sandbox) : nil
      let go = sandbox.root + "/go"
      let server = try sandbox.launch(
        try toolPath("python3"),
        ["-c", Self.program, go, certificates?.certificate(.good) ?? "", certificates?.key(.good) ?? ""])
      try await server.wait(for: "the port") { server.output.contains("\n") }
      let host = "\(isSecure ? "https" : "http")://127.0.0.1:" + server.output.prefix { $0 != "\n" }
      let gate = FaultServer.Gate()
      let between = FaultServer.Version.named("between", size: 1000)
      sandbox.server["/between"] = .init(between, script: [.held(by: gate, after: 500)])
      let trust = certificates.map { ["--cacert", $0.authority] } ?? []
      let get = try sandbox.start(
        ["get", "-j", "1", host + "/a", sandbox.server.url("/between"), host + "/b"] + trust)
      // The first job is done, and its connection waits for the third.
      #expect(await gate.waitForArrivals(seconds: 60))
      try Data().write(to: URL(fileURLWithPath: go))
      try await server.wait(for: "the second answer") { server.output.contains("sent") }
      gate.open()
      let finished = try await get.finish()
      expect(finished, exits: 0)
      let files = ["a": Content.fixed("first".utf8), "between": between.content, "b": .fixed("right".utf8)]
      sandbox.expectFiles(files, finished)
      #expect(server.output.contains("/b 2"), "\(server.output)")
    }
  }
}

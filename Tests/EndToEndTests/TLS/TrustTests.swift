// Trust, and TLS's mark for the end of a body: S1, H5, R23.

import FaultServer
import Foundation
import Testing

@Suite("Trust")
struct TrustTests {
  private static let content = Content.generated(seed: 1, size: 10_000)

  @Test(
    "S1 an untrusted certificate: 5, no retry, with the reason",
    arguments: Certificates.Kind.allCases)
  func untrusted(_ kind: Certificates.Kind) async throws {
    try await Sandbox.use { sandbox in
      let certificates = try await Certificates(in: sandbox, [kind])
      let nginx = try await RealServer(.nginx, in: sandbox, certificates: certificates, certificate: kind)
      try Self.content.write(toFileAt: nginx.site + "/file")
      let get = ["get", nginx.url("/file"), "--retry-wait", "600"]
      // The good certificate is from an authority that the system does not know.
      let trust = kind == .good ? [] : ["--cacert", certificates.authority]
      let finished = try await sandbox.dray(get + trust)
      expect(finished, exits: 5, saying: "certificate")
      #expect(!finished.errors.contains("retrying in"), "\(finished)")
      if kind == .expired { #expect(finished.text.contains("expired"), "\(finished)") }
      sandbox.expectNoFiles(finished)
      #expect(nginx.entries.allSatisfy { $0.status != 200 })
    }
  }

  @Test("S1 -k continues, is recorded with the job, and warns at each start")
  func insecure() async throws {
    try await Sandbox.use { sandbox in
      let certificates = try await Certificates(in: sandbox, [.selfSigned])
      let nginx = try await RealServer(.nginx, in: sandbox, certificates: certificates, certificate: .selfSigned)
      try Self.content.write(toFileAt: nginx.site + "/file")
      expect(try await sandbox.dray("add", "-k", nginx.url("/file")), exits: 0)
      let finished = try await sandbox.dray("run")
      expect(finished, exits: 0)
      #expect(finished.errors.localizedCaseInsensitiveContains("certificate"), "\(finished)")
      sandbox.expectFiles(["file": Self.content], finished)
    }
  }

  @Test("H5 P15 https never becomes http by a redirect: 7")
  func downgrade() async throws {
    try await Sandbox.use { sandbox in
      let certificates = try await Certificates(in: sandbox)
      let nginx = try await RealServer(.nginx, in: sandbox, certificates: certificates)
      let finished = try await sandbox.dray("get", nginx.url("/to/absolute"), "--cacert", certificates.authority)
      expect(finished, exits: 7)
      sandbox.expectNoFiles(finished)
    }
  }

  /// A TLS server that sends ten thousand bytes without length and ends with or without close_notify.
  private static let tlsServer = """
    import socket, ssl, sys
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    print(listener.getsockname()[1], flush=True)
    while True:
        plain, _ = listener.accept()
        try:
            secure = context.wrap_socket(plain, server_side=True)
            secure.recv(65536)
            secure.sendall(b"HTTP/1.1 200 OK\\r\\nConnection: close\\r\\n\\r\\n" + b"x" * 10000)
            if sys.argv[3] == "notice":
                secure.unwrap()
            secure.close()
        except OSError:
            pass
    """

  @Test(
    "R23 TLS closed without close_notify is a cut body: 4; with it the body is complete", arguments: [true, false])
  func closeNotify(isSent: Bool) async throws {
    try await Sandbox.use { sandbox in
      let certificates = try await Certificates(in: sandbox)
      let server = try sandbox.launch(
        try toolPath("python3"),
        [
          "-c", Self.tlsServer, certificates.certificate(.good), certificates.key(.good),
          isSent ? "notice" : "none",
        ])
      try await server.wait(for: "the port") { server.output.contains("\n") }
      let port = server.output.trimmingCharacters(in: .whitespacesAndNewlines)
      let finished = try await sandbox.dray(
        "get", "https://127.0.0.1:\(port)/f", "--cacert", certificates.authority, "--retries", "1",
        "--retry-wait", "0.05")
      if isSent {
        expect(finished, exits: 0, saying: "length unverified")
        sandbox.expectFiles(["f": .fixed(Array(repeating: UInt8(ascii: "x"), count: 10_000))], finished)
      } else {
        expect(finished, exits: 4)
        #expect(!sandbox.names().contains("f"), "\(finished)")
      }
    }
  }
}

// nginx with TLS in front of the service, configured by docs/reverse-proxy.md.

import Foundation
import Testing

/// nginx with the configuration from the documentation; only names, ports and paths are replaced by this machine's.
struct DocumentedProxy {
  /// A name in a certificate of the tests.
  static let name = "elsewhere.example"

  let certificates: Certificates
  let server: RealServer
  let service: Service

  var port: Int { server.port }

  init(to service: Service) async throws {
    let block = try Self.configuration()
    let certificates = try await Certificates(in: service.sandbox, [.wrongHost])
    let kind = ServerKind(name: "nginx-proxy", program: "nginx") { setup in
      let text = try Self.putting(setup, service, into: block)
      // Its own server covers parts that the documentation does not mention, and has no TLS.
      let plain = ServerSetup(
        directory: setup.directory, site: setup.site, port: setup.port, securePort: setup.securePort, tls: nil,
        clients: nil, rate: nil, elsewhere: nil, originPort: nil)
      return try Nginx.prepare(plain, http: text, locations: "")
    }
    self.certificates = certificates
    self.service = service
    server = try await RealServer(kind, in: service.sandbox, certificates: certificates, certificate: .wrongHost)
  }

  /// The configuration block of the page.
  private static func configuration() throws -> String {
    let page = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../docs/reverse-proxy.md").standardized
    let text = try String(contentsOf: page, encoding: .utf8)
    let start = try #require(text.firstRange(of: "```nginx\n"))
    let end = try #require(text[start.upperBound...].firstRange(of: "```"))
    return String(text[start.upperBound..<end.lowerBound])
  }

  private static func putting(_ setup: ServerSetup, _ service: Service, into block: String) throws -> String {
    let tls = try #require(setup.tls)
    var text = block
    for (old, new) in [
      ("listen 443 ssl;", "listen 127.0.0.1:\(setup.securePort) ssl;"),
      ("server_name dray.example;", "server_name \(name);"),
      ("/etc/ssl/dray.example.pem", tls.certificate), ("/etc/ssl/dray.example.key", tls.key),
      ("http://127.0.0.1:6800;", "http://127.0.0.1:\(service.port);"),
    ] {
      #expect(text.contains(old), "\(old) is not in the documentation")
      text = text.replacing(old, with: new)
    }
    return text
  }

  /// Options that make curl use the proxy under that name.
  private var words: [String] {
    [
      "-sS", "--noproxy", "*", "--max-time", "60", "--cacert", certificates.authority, "--resolve",
      "\(Self.name):\(port):127.0.0.1",
    ]
  }

  private func url(_ path: String) -> String { "https://\(Self.name):\(port)\(path)" }

  func curl(_ path: String, _ more: [String] = []) async throws -> Finished {
    try await service.sandbox.tool("curl", words + more + [url(path)])
  }

  func status(_ path: String, _ more: [String] = []) async throws -> String {
    try await curl(path, more + ["-o", "/dev/null", "-w", "%{http_code}"]).output
  }

  func following(_ path: String, _ more: [String]) throws -> RunningProgram {
    try service.sandbox.launch(toolPath("curl"), words + ["-N"] + more + [url(path)])
  }

  /// A client on a WebSocket through the proxy.
  func asking(origin: String) throws -> RunningProgram {
    var words = [Service.script("calls.py"), "\(port)", "host=\(Self.name)", "ca=\(certificates.authority)"]
    words.append("origin=\(origin)")
    if let secret = service.secret { words.append("secret=\(secret)") }
    return try service.sandbox.launch(toolPath("python3"), words)
  }

  /// The origin of its pages.
  var origin: String { "https://\(Self.name):\(port)" }
}

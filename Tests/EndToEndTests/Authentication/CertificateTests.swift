// Client certificates and trusted authorities: S1, P7.

import FaultServer
import Foundation
import Testing

@Suite("Client certificates and trust")
struct CertificateTests {
  private static let content = Content.generated(seed: 3, size: 20_000)
  private static let password = "PLANTED-s3cret"

  /// Adds to the server's files: the same key encrypted, and certificate and key in one PKCS#12 file.
  private func prepare(_ sandbox: Sandbox, _ certificates: Certificates) async throws {
    let made = try await sandbox.shell(
      """
      set -e; cd \(certificates.directory)
      openssl pkey -in good.key -aes256 -passout pass:\(Self.password) -out locked.key
      openssl pkcs12 -export -in good.pem -inkey good.key -passout pass:\(Self.password) -out both.p12
      cat good.pem good.key > both.pem; echo \(Self.password) > password
      mkdir hashed; cp ca.pem hashed/; openssl rehash hashed
      openssl x509 -in good.pem -pubkey -noout > public.pem
      openssl pkey -pubin -in public.pem -outform der | openssl dgst -sha256 -binary | base64 > pin
      """)
    expect(made, exits: 0)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let options: [String]
    let status: Int32
    var said: String?
    var variables: [String: String] = [:]
    var testDescription: String { "\(options) \(variables.keys)" }
  }

  private static let clients: [Row] = [
    .init(options: ["--cert", "good.pem", "--key", "good.key"], status: 0),
    .init(options: ["-E", "both.pem"], status: 0),
    .init(options: ["--cert", "both.p12", "--pass", "@password"], status: 0),
    .init(options: ["--cert", "both.p12:\(password)"], status: 0),
    .init(options: ["--cert", "good.pem", "--key", "locked.key", "--pass", "@password"], status: 0),
    .init(
      options: ["--cert", "good.pem", "--key", "locked.key"], status: 0, variables: ["DRAY_KEY_PASSWORD": password]),
    .init(options: ["--cert", "good.pem", "--key", "locked.key"], status: 2, said: "--pass"),
    .init(options: ["--cert", "good.pem", "--key", "locked.key", "--pass", "wrong"], status: 5, said: "key"),
    .init(options: ["--cert", "good.pem", "--key", "ca.key"], status: 5),
    .init(options: ["--cert", "nowhere.pem"], status: 2, said: "nowhere.pem"),
    .init(options: ["--key", "good.key"], status: 2, said: "--cert"),
    .init(options: [], status: 8, said: "400"),
  ]

  @Test("a client certificate, its key, the key's password", arguments: clients)
  func client(_ row: Row) async throws {
    try await Sandbox.use { sandbox in
      let certificates = try await Certificates(in: sandbox)
      try await prepare(sandbox, certificates)
      let nginx = try await RealServer(.nginx, in: sandbox, certificates: certificates, clients: certificates.authority)
      try Self.content.write(toFileAt: nginx.site + "/f")
      let options = row.options.map { option in
        let isFile = option.contains(".") || option.hasPrefix("@")
        guard isFile else { return option }
        return option.hasPrefix("@")
          ? "@\(certificates.directory)/\(option.dropFirst())" : "\(certificates.directory)/\(option)"
      }
      let get = ["get", "-v", nginx.url("/f"), "--cacert", certificates.authority, "--retry-wait", "600"]
      let finished = try await sandbox.start(get + options) { launch in
        launch.environment.merge(row.variables) { $1 }
      }.finish()
      expect(finished, exits: row.status, saying: row.said)
      #expect(!finished.errors.contains("retrying in"), "\(finished)")
      #expect(!finished.errors.contains(Self.password), "\(finished)")
      if row.status == 0 { sandbox.expectFiles(["f": Self.content], finished) }
    }
  }

  @Test("--pinnedpubkey: the right key is accepted, another one is 5 without a retry; --capath trusts a directory")
  func pinned() async throws {
    try await Sandbox.use { sandbox in
      let certificates = try await Certificates(in: sandbox)
      try await prepare(sandbox, certificates)
      let nginx = try await RealServer(.nginx, in: sandbox, certificates: certificates)
      try Self.content.write(toFileAt: nginx.site + "/f")
      let pin = try String(contentsOfFile: certificates.directory + "/pin", encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      let other = "sha256//" + Data(repeating: 7, count: 32).base64EncodedString()
      let rows: [(pin: String, status: Int32, said: String?)] = [
        ("sha256//\(pin)", 0, nil), ("\(other);sha256//\(pin)", 0, nil),
        ("\(certificates.directory)/public.pem", 0, nil),
        (other, 5, "public key"), ("sha256//short", 2, "base64"), ("nowhere.pem", 2, "nowhere.pem"),
      ]
      for (number, row) in rows.enumerated() {
        for name in ["--pinnedpubkey", "--pinned-public-key"] {
          let finished = try await sandbox.dray(
            "get", nginx.url("/f"), "-o", "f\(number)\(name)", name, row.pin, "--capath",
            certificates.directory + "/hashed", "--retry-wait", "600")
          expect(finished, exits: row.status, saying: row.said)
          #expect(!finished.errors.contains("retrying in"), "\(finished)")
        }
      }
    }
  }
}

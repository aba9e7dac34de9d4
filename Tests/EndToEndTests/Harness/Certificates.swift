// Certificates made by the openssl command, valid and invalid ones.

import Foundation

/// The test's own authority, and its certificates.
struct Certificates: Sendable {
  /// The property of a server's certificate.
  enum Kind: String, Sendable, CaseIterable {
    case good, expired, wrongHost, selfSigned
  }

  /// The directory of the files.
  let directory: String

  /// The authority's certificate, for `--cacert`.
  var authority: String { directory + "/ca.pem" }

  /// The path of a server's certificate.
  func certificate(_ kind: Kind) -> String { "\(directory)/\(kind.rawValue).pem" }

  /// The path of a server's key.
  func key(_ kind: Kind) -> String { "\(directory)/\(kind.rawValue).key" }

  /// Creates the authority and a certificate for each of `kinds` under `sandbox`.
  ///
  /// - Throws: `HarnessError` with the output of openssl when it fails.
  init(in sandbox: Sandbox, _ kinds: [Kind] = [.good]) async throws {
    directory = sandbox.root + "/tls"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    var lines = [
      "set -e; cd \(directory)",
      "new='openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'",
      "$new -x509 -days 2 -subj /CN=authority -keyout ca.key -out ca.pem",
      "printf '[ca]\\ndefault_ca=d\\n[d]\\ndatabase=index\\nserial=serial\\nnew_certs_dir=.\\ndefault_md=sha256\\n"
        + "policy=p\\nunique_subject=no\\n[p]\\ncommonName=supplied\\n' > ca.conf",
      "touch index; echo 01 > serial",
    ]
    lines += kinds.map { kind in
      let name = kind.rawValue
      let host = kind == .wrongHost ? "DNS:elsewhere.example" : "IP:127.0.0.1,DNS:localhost"
      guard kind != .selfSigned else {
        return
          "$new -x509 -days 2 -subj /CN=self -addext subjectAltName=\(host) -keyout \(name).key -out \(name).pem"
      }
      let dates = kind == .expired ? "-startdate 20200101000000Z -enddate 20200201000000Z" : "-days 2"
      return """
        $new -subj /CN=\(name) -keyout \(name).key -out \(name).csr
        echo subjectAltName=\(host) > \(name).ext
        openssl ca -batch -notext -config ca.conf -cert ca.pem -keyfile ca.key \(dates) \
        -extfile \(name).ext -in \(name).csr -out \(name).pem
        """
    }
    let finished = try await sandbox.shell(lines.joined(separator: "\n"))
    guard finished.status == 0 else { throw HarnessError("\(finished)") }
  }
}

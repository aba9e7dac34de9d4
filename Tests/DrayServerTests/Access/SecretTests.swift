// Secrets: valid ones, and their sources.

import DrayCore
import Glibc
import Posix
import Testing
import WebServer

@testable import DrayServer

@Suite("secrets")
struct SecretTests {
  @Test(
    "valid secrets",
    arguments: [
      ("12345678", true), ("1234567", false), ("", false), ("pass wörd", true), ("1234567\n", false),
      ("12345678\u{0}", false),
      (String(repeating: "x", count: 1024), true), (String(repeating: "x", count: 1025), false),
    ])
  func valid(_ text: String, _ isValid: Bool) {
    #expect((Secret(text) != nil) == isValid)
  }

  @Test("only equal secrets match, and none is ever printed")
  func matches() throws {
    let secret = try #require(Secret("correct horse"))
    #expect(
      secret.matches("correct horse") && !secret.matches("correct hors") && !secret.matches("correct horse ")
        && !secret.matches(""))
    #expect(!"\(secret)".contains("horse") && !String(reflecting: secret).contains("horse"))
  }

  @Test("generated secrets are long and differ")
  func random() {
    let texts = Set((0..<100).map { _ in Secret.randomText() })
    #expect(texts.count == 100 && texts.allSatisfy { $0.utf8.count == 43 && Secret($0) != nil })
    #expect(texts.allSatisfy { $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" } })
  }

  @Test(
    "sources of the secret: the named file, the variable, systemd's credentials",
    arguments: [
      ("/f", ["DRAY_SERVE_SECRET": "v", "CREDENTIALS_DIRECTORY": "/c"], SecretSource.file("/f")),
      (nil, ["DRAY_SERVE_SECRET": "v", "CREDENTIALS_DIRECTORY": "/c"], .variable("DRAY_SERVE_SECRET", value: "v")),
      (nil, ["DRAY_SERVE_SECRET": "", "CREDENTIALS_DIRECTORY": "/c"], .credential("/c/dray-secret")),
      (nil, ["CREDENTIALS_DIRECTORY": "/other"], nil), (nil, ["CREDENTIALS_DIRECTORY": "c"], nil), (nil, [:], nil),
    ] as [(String?, [String: String], SecretSource?)])
  func sources(_ file: String?, _ environment: [String: String], _ source: SecretSource?) {
    #expect(SecretSource.choose(file: file, environment: environment) { $0 == "/c/dray-secret" } == source)
  }

  @Test(
    "the file belongs to its user, or to root, and to nobody else",
    arguments: [
      (7, 0o600, true), (7, 0o400, true), (0, 0o600, true), (8, 0o600, false), (7, 0o640, false), (7, 0o604, false),
      (7, 0o601, false), (7, 0o666, false),
    ] as [(UInt32, UInt32, Bool)])
  func files(_ owner: UInt32, _ mode: UInt32, _ isGood: Bool) {
    #expect((SecretFileRule.objection(owner: owner, mode: mode, user: 7) == nil) == isGood)
  }

  @Test("a file is read with its permissions; systemd's needs only to be readable")
  func read() throws {
    var name = Array("/tmp/dray-secret-XXXXXX".utf8CString)
    let directory = String(cString: try #require(mkdtemp(&name)))
    let path = directory + "/secret"
    defer {
      unlink(path)
      rmdir(directory)
    }
    let file = try System.create(path, mode: 0o600)
    try System.write(Array("correct horse \n".utf8), to: file)
    System.close(file)
    #expect(try SecretSource.file(path).read().matches("correct horse"))
    chmod(path, 0o640)
    #expect { _ = try SecretSource.file(path).read() } throws: { error in
      guard let failure = error as? Failure else { return false }
      return failure.exitStatus == .usage && failure.subject == path && failure.advice != nil
    }
    #expect(try SecretSource.credential(path).read().matches("correct horse"))
    #expect { _ = try SecretSource.file(directory).read() } throws: { ($0 as? Failure)?.kind == .file }
    #expect { _ = try SecretSource.file(path + "x").read() } throws: { ($0 as? Failure)?.kind == .file }
    #expect { _ = try SecretSource.variable("DRAY_SERVE_SECRET", value: "short").read() } throws: { error in
      guard let failure = error as? Failure else { return false }
      return failure.subject == "$DRAY_SERVE_SECRET" && !failure.description.contains("short")
    }
  }

  @Test("every answer is strict to browsers: no inline script, no frame, no guessing of types")
  func fields() {
    let policy = SecurityFields.all["Content-Security-Policy"] ?? ""
    #expect(
      policy.hasPrefix("default-src 'none'; ") && !policy.contains("unsafe")
        && policy.contains("frame-ancestors 'none'"))
    #expect(
      SecurityFields.all["X-Content-Type-Options"] == "nosniff"
        && SecurityFields.all["Referrer-Policy"] == "no-referrer")
  }
}

// FTP servers that lack commands, cut files off, require passwords, or speak TLS.

import FaultServer
import Foundation
import Testing

@Suite("FTP with servers that break rules")
struct FTPFaultTests {
  static let version = Version.named("v1", size: 300_000)

  /// Serves one file with options; the second text is the prefix of its URL.
  private func serve(
    _ options: [String: any Sendable], _ body: (Sandbox, FileServer, String) async throws -> Void
  ) async throws {
    try await Sandbox.use { sandbox in
      let server = try await FileServer.faulty(in: sandbox, options)
      try server.put("file.bin", Self.version.content)
      try await body(sandbox, server, "ftp://127.0.0.1:\(server.port)/file.bin")
    }
  }

  @Test("a file that is cut off (426) is resumed, and never published short")
  func cutOff() async throws {
    try await serve(["cut": 100_000]) { sandbox, server, url in
      expect(try await sandbox.dray("get", "--retry-wait", "0.1s", url), exits: 0)
      sandbox.expectFiles(["file.bin": Self.version.content])
      #expect(server.log.contains("REST 87500"), "\(server.log)")
    }
  }

  @Test("a file that ends early with 226 is continued as long as that helps, and complete only once it is whole")
  func short() async throws {
    try await serve(["short": 100_000]) { sandbox, server, url in
      expect(try await sandbox.dray("get", "--retries", "0", url), exits: 0)
      sandbox.expectFiles(["file.bin": Self.version.content])
      #expect(server.log.contains("REST 87500"), "\(server.log)")
    }
    try await serve(["short": 500]) { sandbox, _, url in
      expect(try await sandbox.dray("get", "--retries", "0", url), exits: 4)
      #expect(try await sandbox.onlyJob().state != "complete")
      #expect(!sandbox.names().contains("file.bin"))
    }
  }

  @Test("R37 a server that answers 350 to REST and begins elsewhere", arguments: ["zero", "early", "rounded"])
  func beginsElsewhere(_ starts: String) async throws {
    try await serve(["cut": 100_001, "starts": starts]) { sandbox, server, url in
      expect(try await sandbox.dray("get", "--retry-wait", "0.1s", url), exits: 0)
      sandbox.expectFiles(["file.bin": Self.version.content])
      #expect(server.log.contains("REST 87501"), "\(server.log)")
    }
  }

  @Test("R37 a SIZE that is zero or too small is not believed", arguments: [0, 100_000])
  func smallSize(_ size: Int) async throws {
    try await serve(["size": size]) { sandbox, _, url in
      let got = try await sandbox.dray("get", "--retries", "1", "--retry-wait", "0.1s", url)
      if got.exit == .code(0) {
        sandbox.expectFiles(["file.bin": Self.version.content], got)
      } else {
        expect(got, exits: 4)
        #expect(!sandbox.names().contains("file.bin"))
      }
    }
  }

  @Test("without SIZE the length is unverified; without MDTM the rest is not trusted")
  func lacking() async throws {
    try await serve(["lacks": ["SIZE", "MDTM"]]) { sandbox, _, url in
      expect(try await sandbox.dray("get", url), exits: 0, saying: "length unverified")
      sandbox.expectFiles(["file.bin": Self.version.content])
    }
    try await serve(["lacks": ["MDTM"], "cut": 100_000]) { sandbox, server, url in
      expect(try await sandbox.dray("get", "--retry-wait", "0.1s", url), exits: 0, saying: "start")
      sandbox.expectFiles(["file.bin": Self.version.content])
      #expect(!server.log.contains("REST"), "\(server.log)")
    }
  }

  @Test("without MDTM, --resume always compares an overlap")
  func overlap() async throws {
    try await serve(["lacks": ["MDTM"], "cut": 100_000]) { sandbox, server, url in
      expect(try await sandbox.dray("get", "--resume", "always", "--retry-wait", "0.1s", url), exits: 0)
      sandbox.expectFiles(["file.bin": Self.version.content])
      #expect(server.log.contains("REST \(100_000 - Joint.overlap)"), "\(server.log)")
    }
  }

  @Test("a server that cannot resume sends the whole again")
  func noRest() async throws {
    try await serve(["lacks": ["REST"], "cut": 100_000]) { sandbox, server, url in
      expect(try await sandbox.dray("get", "--retry-wait", "0.1s", url), exits: 0, saying: "start")
      sandbox.expectFiles(["file.bin": Self.version.content])
      #expect(server.log.contains("REST 87500"), "\(server.log)")
    }
  }

  @Test("user name and password, from the URL, an option, and .netrc")
  func logins() async throws {
    try await serve(["users": ["ann": "s3cret"]]) { sandbox, server, url in
      let typed = "ftp://ann:s3cret@127.0.0.1:\(server.port)/file.bin"
      expect(try await sandbox.dray("get", "-o", "a", typed), exits: 0)
      expect(try await sandbox.dray("get", "-o", "b", "-u", "ann:s3cret", url), exits: 0)
      try sandbox.write("machine 127.0.0.1 login ann password s3cret\n", to: "../user/netrc")
      expect(try await sandbox.dray("get", "-o", "c", "--netrc-file", "../user/netrc", url), exits: 0)
      sandbox.expectFiles(["a": Self.version.content, "b": Self.version.content, "c": Self.version.content])
      let wrong = try await sandbox.dray("get", "-o", "d", "-u", "ann:wr0ng", url)
      expect(wrong, exits: 6, saying: "530 Login incorrect")
      expect(try await sandbox.dray("get", "-o", "e", url), exits: 6)
      // One try for each: wrong passwords lock accounts.
      #expect(server.log.components(separatedBy: "PASS").count - 1 == 5, "\(server.log)")
      let said = try await sandbox.dray("show", "2").text + wrong.text
      #expect(!said.contains("s3cret") && !said.contains("wr0ng"), "\(said)")
    }
  }

  @Test("ftps, and requested TLS, with a check against the authority", arguments: ["implicit", "explicit"])
  func secure(tls: String) async throws {
    try await Sandbox.use { sandbox in
      let certificates = try await Certificates(in: sandbox)
      let options = [
        "tls": tls, "certificate": certificates.certificate(.good), "key": certificates.key(.good),
      ]
      let server = try await FileServer.faulty(in: sandbox, options)
      try server.put("file.bin", Self.version.content)
      let url = "\(tls == "implicit" ? "ftps" : "ftp")://127.0.0.1:\(server.port)/file.bin"
      expect(try await sandbox.dray("get", "--ssl-reqd", url), exits: 5, saying: "not trusted")
      #expect(!server.log.contains("USER"), "\(server.log)")
      sandbox.expectNoFiles()
      let trusted = ["get", "--ssl-reqd", "--cacert", certificates.authority, url]
      expect(try await sandbox.dray(["retry", "1"]), exits: 0)
      expect(try await sandbox.dray(trusted), exits: 0)
      sandbox.expectFiles(["file.bin": Self.version.content])
      #expect(server.log.contains("RETR file.bin over TLS") && server.log.contains("PROT P"), "\(server.log)")
    }
  }

  @Test("--ssl-reqd gives no password to a server without TLS")
  func withoutTLS() async throws {
    try await serve([:]) { sandbox, server, url in
      expect(try await sandbox.dray("get", "--ssl-reqd", "-u", "ann:s3cret", url), exits: 5, saying: "TLS")
      #expect(!server.log.contains("USER") && !server.log.contains("PASS"), "\(server.log)")
    }
  }

  @Test("-T sends a file, and reports a refusal")
  func upload() async throws {
    try await serve(["users": ["ann": "s3cret"]]) { sandbox, server, url in
      try Self.version.content.write(toFileAt: "\(sandbox.root)/user/mine")
      let target = "ftp://127.0.0.1:\(server.port)/sent.bin"
      let put = ["get", "-T", "../user/mine", "-u", "ann:s3cret"]
      expect(try await sandbox.dray(put + [target]), exits: 0, saying: "sent 292.9 KiB")
      #expect(Self.version.content.difference(fromFileAt: "\(server.site)/sent.bin") == nil)
      sandbox.expectNoFiles()
      expect(try await sandbox.dray("get", "-T", "../user/mine", "-u", "ann:no", target + "2"), exits: 6)
      expect(try await sandbox.dray("get", "--data", "a=b", "-u", "ann:s3cret", url), exits: 2, saying: "-T")
    }
    try await serve(["lacks": ["STOR"]]) { sandbox, server, url in
      try Self.version.content.write(toFileAt: "\(sandbox.root)/user/mine")
      let finished = try await sandbox.dray("get", "-T", "../user/mine", url + ".2")
      #expect(finished.exit != .code(0), "\(finished)")
      #expect(finished.text.contains("502"), "\(finished)")
    }
  }

  @Test("features that FTP lacks are left out with a notice, or refused")
  func notThere() async throws {
    try await serve([:]) { sandbox, _, url in
      let finished = try await sandbox.dray("get", "-H", "X-Key: s3cret", url)
      expect(finished, exits: 0, saying: "--header does not apply to ftp")
      #expect(!finished.text.contains("s3cret"))
      expect(try await sandbox.dray("get", url + "%0D%0ADELE%20file.bin"), exits: 2, saying: "control")
      expect(try await sandbox.dray("get", "ftp://127.0.0.1/dir/"), exits: 2, saying: "directory")
    }
  }
}

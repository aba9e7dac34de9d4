// `dray import aria2`: a configuration is printed or written, a session becomes jobs.

import FaultServer
import Foundation
import Testing

@Suite("Import of aria2")
struct ImportAria2Tests {
  static let version = Version.named("v1", size: 3000)

  @Test("a session becomes jobs: with mirrors, names and credentials, paused where it says so, without torrents")
  func session() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/a"] = .init(Self.version)
      sandbox.server["/b"] = .init(Self.version)
      let session = try sandbox.write(
        """
        \(sandbox.server.url("/a"))\t\(sandbox.server.url("/mirror"))
         gid=1
         out=one
         http-user=ann
         http-passwd=secret
         header=X-A: 1
         bt-max-peers=3
        magnet:?xt=urn:btih:0
         gid=2
        \(sandbox.server.url("/b"))
         gid=3
         pause=true
        """, to: "../aria2.session")
      let imported = try await sandbox.dray("import", "aria2", session)
      expect(imported, exits: 0, saying: "magnet:?xt=urn:btih:0 is left out")
      #expect(imported.output == "1\n2\n")
      #expect(imported.errors.components(separatedBy: "gid=").count == 2, "\(imported)")
      expect(try await sandbox.dray("run"), exits: 0)
      sandbox.expectFiles(["one": Self.version.content])
      let asked = sandbox.server.requests.filter { $0.path == "/a" }
      #expect(!asked.isEmpty && asked.allSatisfy { $0["X-A"] == "1" && $0["Authorization"] != nil })
      #expect(try await sandbox.jobs().map(\.state) == ["complete", "paused"])
      expect(try await sandbox.dray("resume", "2"), exits: 0)
      expect(try await sandbox.dray("run"), exits: 0)
      sandbox.expectFiles(["one": Self.version.content, "b": Self.version.content])
    }
  }

  @Test("a configuration is printed in dray's form, and written if there is none yet")
  func configuration() async throws {
    try await Sandbox.use { sandbox in
      let text =
        "dir=${HOME}/got\nsplit=8\nmax-connection-per-server=4\nenable-rpc=true\nmax-concurrent-downloads=99999\n"
      let file = try sandbox.write(text, to: "../aria2.conf")
      let printed = try await sandbox.dray("import", "aria2", file)
      expect(printed, exits: 0, saying: "enable-rpc is not taken over")
      #expect(printed.output.hasSuffix("dir = \"~/got\"\nmax-connections = \"4\"\n"), "\(printed)")
      #expect(printed.errors.contains("aria2.conf:5: max-concurrent-downloads is not taken over"), "\(printed)")
      expect(try await sandbox.dray("import", "aria2"), exits: 2, saying: "name a file")
      expect(try await sandbox.dray("import", "aria2", "--write", file), exits: 0, saying: "wrote ")
      let path = sandbox.root + "/user/.config/dray/config.toml"
      #expect(sandbox.mode(of: path) == 0o600)
      expect(try await sandbox.dray("config", "check"), exits: 0, saying: "is valid")
      sandbox.server["/f"] = .init(Self.version)
      expect(try await sandbox.dray("get", sandbox.server.url("/f")), exits: 0)
      #expect(FileManager.default.fileExists(atPath: sandbox.root + "/user/got/f"))
      expect(try await sandbox.dray("import", "aria2", "--write", file), exits: 3, saying: "is not changed")
    }
  }

  @Test("`dray run` continues aria2's downloads, and a taken name stops only its own job")
  func begun() async throws {
    try await Sandbox.use { sandbox in
      let big = Version.named("big", size: 3 << 20)
      sandbox.server["/big"] = .init(big)
      sandbox.server["/taken"] = .init(Self.version)
      sandbox.server["/small"] = .init(Self.version)
      // The first two of three pieces of 1 MiB: version, extension, hash, piece length, total length, sent, bit field,
      // in flight.
      var control: [UInt8] = [0, 1] + [UInt8](repeating: 0, count: 8) + [0, 0x10, 0, 0] + [0, 0, 0, 0, 0, 0x30, 0, 0]
      control += [UInt8](repeating: 0, count: 8) + [0, 0, 0, 1, 0xC0] + [0, 0, 0, 0]
      try Data(control).write(to: URL(fileURLWithPath: sandbox.path("big.aria2")))
      let begun = big.content.allBytes.prefix(2 << 20) + [UInt8](repeating: 0, count: 1 << 20)
      try Data(begun).write(to: URL(fileURLWithPath: sandbox.path("big")))
      try sandbox.write("mine", to: "taken")
      let urls = ["/taken", "/big", "/small"].map { sandbox.server.url($0) + "\n" }
      let session = try sandbox.write(urls.joined(), to: "../aria2.session")
      let imported = try await sandbox.dray("import", "aria2", session)
      expect(imported, exits: 0)
      #expect(imported.output.split(separator: "\n").count == 3, "\(imported)")
      let finished = try await sandbox.dray("run")
      expect(finished, exits: 3, saying: "taken")
      let sent = sandbox.server.requests.filter { $0.path == "/big" }.map(\.bodySent).reduce(0, +)
      #expect(sent < 2 << 20, "\(sent) bytes came again")
      #expect(FileManager.default.contents(atPath: sandbox.path("big")).map { [UInt8]($0) } == big.content.allBytes)
      #expect(sandbox.read("taken") == "mine")
    }
  }

  @Test("an error in one file leaves all of them untouched")
  func refused() async throws {
    try await Sandbox.use { sandbox in
      let good = try sandbox.write("\(sandbox.server.url("/f"))\n", to: "../good")
      let bad = try sandbox.write("\(sandbox.server.url("/f"))\n no-such=1\n", to: "../bad")
      expect(try await sandbox.dray("import", "aria2", good, bad), exits: 2, saying: "bad:2")
      expect(try await sandbox.dray("import", "aria2", good, "nowhere"), exits: 2, saying: "nowhere")
      expect(try await sandbox.dray("import", "aria2", "--write", good), exits: 2, saying: "--write")
      #expect(try await sandbox.jobs().isEmpty)
    }
  }
}

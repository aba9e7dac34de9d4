// `dray browser install` and `uninstall`, in a home directory of the test's own.

import FaultServer
import Foundation
import Testing

@Suite("Browsers are told where dray is")
struct BrowserInstallTests {
  private static let chromium = ".config/chromium/NativeMessagingHosts/dev.dray.browser.json"
  private static let firefox = ".mozilla/native-messaging-hosts/dev.dray.browser.json"

  private static func make(_ directory: String, _ sandbox: Sandbox) throws {
    try FileManager.default.createDirectory(
      atPath: "\(sandbox.root)/user/\(directory)", withIntermediateDirectories: true)
  }

  private static func manifest(_ path: String, _ sandbox: Sandbox) throws -> [String: Any] {
    let bytes = try #require(FileManager.default.contents(atPath: "\(sandbox.root)/user/\(path)"))
    return try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
  }

  @Test("install registers the browsers that are there, the script starts dray, and uninstall takes all of it back")
  func installed() async throws {
    try await Sandbox.use { sandbox in
      expect(try await sandbox.dray("browser", "install"), exits: 1, saying: "no browser was found")
      expect(try await sandbox.dray("browser"), exits: 1)
      try Self.make(".config/chromium", sandbox)
      // Firefox looks in ~/.mozilla wherever its data are.
      try Self.make(".config/mozilla/firefox", sandbox)
      try Self.make("snap/chromium", sandbox)
      let dir = sandbox.path("a 'b'")
      try FileManager.default.createDirectory(atPath: dir, withIntermediateDirectories: true)
      let id = String(repeating: "b", count: 32)
      let words = ["browser", "install", "--dir", dir, "--extension-id", id]
      expect(try await sandbox.dray(words), exits: 0, saying: "Chromium (snap) cannot start programs")
      let chromium = try Self.manifest(Self.chromium, sandbox)
      #expect(chromium["name"] as? String == "dev.dray.browser" && chromium["type"] as? String == "stdio")
      #expect(
        chromium["allowed_origins"] as? [String]
          == ["chrome-extension://kipjceeimpomiagpajmakapkldihnefc/", "chrome-extension://\(id)/"])
      let firefox = try Self.manifest(Self.firefox, sandbox)
      #expect(firefox["allowed_extensions"] as? [String] == ["dray@dray.dev"])
      let launcher = try #require(firefox["path"] as? String)
      #expect(launcher == sandbox.root + "/user/.local/share/dray/browser-host")

      let before = try FileManager.default.attributesOfItem(atPath: launcher)[.systemFileNumber] as? UInt64
      expect(try await sandbox.dray(words), exits: 0, saying: "registered already")
      #expect(try FileManager.default.attributesOfItem(atPath: launcher)[.systemFileNumber] as? UInt64 == before)

      // A browser starts the script with arguments of its own.
      let host = try BrowserHost.start(in: sandbox, launcher: launcher, ["/m.json", "dray@dray.dev", "--x=y"])
      #expect(try await host.ask(["type": "hello", "version": 1])["directory"] as? String == dir)
      let doctor = try await sandbox.dray("doctor")
      #expect(doctor.output.contains("browser       Chromium, Firefox: the extension can start dray"), "\(doctor)")
      expect(try await sandbox.dray("browser"), exits: 0)

      expect(try await sandbox.dray("browser", "uninstall", "--firefox"), exits: 0)
      #expect(FileManager.default.fileExists(atPath: launcher))
      expect(try await sandbox.dray("browser", "uninstall"), exits: 0)
      #expect(!FileManager.default.fileExists(atPath: launcher))
      for path in [Self.chromium, Self.firefox] {
        #expect(!FileManager.default.fileExists(atPath: "\(sandbox.root)/user/\(path)"))
      }
      expect(try await sandbox.dray("browser", "uninstall"), exits: 0, saying: "nothing to remove")
    }
  }

  @Test("uninstall finds the data directories that install was given; the script goes with the last registration")
  func remembered() async throws {
    try await Sandbox.use { sandbox in
      let share = "\(sandbox.root)/user/.local/share/dray"
      let (launcher, list) = (share + "/browser-host", share + "/browser-directories.json")
      let data = ["one", "two"].map { "\(sandbox.root)/user/\($0)" }
      let manifests = data.map { $0 + "/NativeMessagingHosts/dev.dray.browser.json" }
      func present(_ paths: [String]) -> [Bool] { paths.map(FileManager.default.fileExists(atPath:)) }
      let install = ["browser", "install", "--firefox"]
      let usual = "\(sandbox.root)/user/.config/chromium"
      let words = install + (data + [usual]).flatMap { ["--user-data-dir", $0] }
      expect(try await sandbox.dray(words), exits: 0)
      #expect(present(manifests + [launcher, list]) == [true, true, true, true])
      // A directory in which browsers look anyway is not listed.
      #expect(!(try String(contentsOfFile: list, encoding: .utf8)).contains("chromium"))
      let status = try await sandbox.dray("browser")
      #expect(status.output.contains(manifests[1]), "\(status)")

      expect(try await sandbox.dray("browser", "uninstall", "--firefox", "--chromium"), exits: 0)
      #expect(present(manifests + [launcher, list]) == [true, true, true, true])
      expect(try await sandbox.dray("browser", "uninstall", "--user-data-dir", data[0]), exits: 0)
      #expect(present(manifests + [launcher, list]) == [false, true, true, true])
      // A manifest that another program has removed does not keep the script.
      try FileManager.default.removeItem(atPath: manifests[1])
      expect(try await sandbox.dray(install), exits: 0)
      expect(try await sandbox.dray("browser", "uninstall", "--firefox"), exits: 0)
      #expect(present(manifests + [launcher, list]) == [false, false, false, false])

      expect(try await sandbox.dray(words), exits: 0)
      expect(try await sandbox.dray("browser", "uninstall"), exits: 0, saying: manifests[1])
      #expect(present(manifests + [launcher, list]) == [false, false, false, false])
    }
  }

  @Test("a directory that cannot be used is refused before anything is written")
  func directory() async throws {
    try await Sandbox.use { sandbox in
      let (root, launcher) = (sandbox.downloads, "\(sandbox.root)/user/.local/share/dray/browser-host")
      let install = ["browser", "install", "--firefox", "--dir"]
      expect(try await sandbox.dray(install + [root + "/none"]), exits: 2, saying: "no such directory; create it")
      try "".write(toFile: root + "/file", atomically: true, encoding: .utf8)
      expect(try await sandbox.dray(install + [root + "/file"]), exits: 2, saying: "is a file")
      let configuration = sandbox.root + "/user/config.toml"
      try FileManager.default.createDirectory(
        atPath: sandbox.root + "/user", withIntermediateDirectories: true)
      try "[serve]\nroot = [\"\(root)\"]\n".write(toFile: configuration, atomically: true, encoding: .utf8)
      let outside = ["--config", configuration] + install + [sandbox.root]
      expect(try await sandbox.dray(outside), exits: 2, saying: "choose a directory below \(root)")
      for path in [launcher, "\(sandbox.root)/user/\(Self.firefox)"] {
        #expect(!FileManager.default.fileExists(atPath: path))
      }
      // A root that was configured after the installation counts, too.
      expect(try await sandbox.dray(["--config", configuration] + install + [root]), exits: 0)
      try "[serve]\nroot = [\"\(root)/below\"]\n".write(toFile: configuration, atomically: true, encoding: .utf8)
      let host = try BrowserHost.start(in: sandbox, launcher: launcher)
      let answer = try await host.ask(["type": "hello", "version": 1])
      #expect((answer["message"] as? String)?.contains("is not below `root`") == true, "\(answer)")
    }
  }

  @Test("files of other programs are neither overwritten nor removed, and doctor names what does not work")
  func foreign() async throws {
    try await Sandbox.use { sandbox in
      try Self.make(".mozilla/native-messaging-hosts", sandbox)
      let path = "\(sandbox.root)/user/\(Self.firefox)"
      let text = #"{"name":"dev.dray.browser","path":"/opt/other","type":"stdio"}"#
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      expect(try await sandbox.dray("browser", "install"), exits: 3, saying: "was left as it is")
      expect(try await sandbox.dray("browser", "uninstall"), exits: 0)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
      #expect(try await sandbox.dray("doctor").output.contains("limited  browser       Firefox cannot start dray"))
      try FileManager.default.removeItem(atPath: path)

      let script = "\(sandbox.root)/user/.local/share/dray/browser-host"
      try Self.make(".local/share/dray", sandbox)
      try "#!/bin/sh\n".write(toFile: script, atomically: true, encoding: .utf8)
      expect(
        try await sandbox.dray("browser", "install", "--firefox"), exits: 3, saying: "another program wrote this file")
      #expect(!FileManager.default.fileExists(atPath: path))
      try FileManager.default.removeItem(atPath: script)

      expect(try await sandbox.dray("browser", "install", "--all", "-q"), exits: 0)
      try FileManager.default.removeItem(atPath: script)
      let doctor = try await sandbox.dray("doctor")
      #expect(doctor.output.contains("Firefox starts \(script), which does not exist"), "\(doctor)")
      expect(try await sandbox.dray("browser", "install", "--extension-id", "x"), exits: 2)
    }
  }
}

// The files by which browsers find dray.

import DrayDocuments
import Testing

@Suite("Manifests for browsers")
struct BrowserManifestTests {
  @Test("a manifest names the script and the extension, and is read again")
  func manifests() {
    let other = String(repeating: "p", count: 32)
    let chromium = BrowserManifest(.chromium, path: "/d/\"x\"/browser-host", others: [other, "a@b", other + "x"])
    #expect(chromium.extensions == [BrowserManifest.chromiumID, other])
    #expect(chromium.text.contains(#""allowed_origins":["chrome-extension://\#(BrowserManifest.chromiumID)/","#))
    #expect(BrowserManifest(Array(chromium.text.utf8)) == chromium)
    let firefox = BrowserManifest(.firefox, path: "/d/browser-host", others: [other, "a@b"])
    #expect(firefox.text.contains(#""allowed_extensions":["dray@dray.dev","a@b"]"#))
    #expect(firefox.text.contains(#""type":"stdio""#) && firefox.text.contains(#""name":"dev.dray.browser""#))
    #expect(BrowserManifest(Array(firefox.text.utf8)) == firefox)
  }

  @Test(
    "other programs' files are not dray's",
    arguments: [
      "", "{}", "[]", "not JSON", #"{"name":"dev.dray.browser"}"#,
      #"{"name":"org.other","path":"/d/browser-host","type":"stdio"}"#,
      #"{"name":"dev.dray.browser","path":"/d/other","type":"stdio"}"#,
    ])
  func foreign(text: String) {
    #expect(BrowserManifest(Array(text.utf8)) == nil)
  }

  @Test(
    "IDs of extensions",
    arguments: [
      (BrowserManifest.chromiumID, .chromium), (BrowserManifest.firefoxID, .firefox),
      ("{9e8c1c8f-0000-4000-8000-000000000000}", .firefox), ("", nil), ("abc", nil),
      ("q" + String(repeating: "a", count: 31), nil),
      ("a@b\"", nil), (String(repeating: "a", count: 80) + "@b", nil),
    ] as [(String, BrowserKind.Family?)])
  func ids(id: String, family: BrowserKind.Family?) {
    #expect(BrowserManifest.family(ofExtension: id) == family)
  }

  @Test(
    "the script names its program, whatever the path",
    arguments: ["/usr/bin/dray", "/a b/'c' \\ $d/dray", "/a' b/dray"])
  func launchers(program: String) {
    let launcher = BrowserLauncher(
      program: program, words: ["--dir", "/x 'y'"], environment: [("DRAY_HOME", "/h'h")])
    #expect(launcher.text.hasPrefix("#!/bin/sh\n# Written by `dray browser install`"))
    #expect(launcher.text.contains("\nexport DRAY_HOME='/h'\\''h'\n"))
    #expect(launcher.text.hasSuffix(" 'browser-host' '--dir' '/x '\\''y'\\'''\n"))
    #expect(BrowserLauncher.isOwn(launcher.text))
    #expect(BrowserLauncher.program(in: launcher.text) == program)
  }

  @Test("another script has no program", arguments: ["", "#!/bin/sh\nexec '/usr/bin/dray' browser-host\n", "exec 'x'"])
  func foreignScripts(text: String) {
    #expect(!BrowserLauncher.isOwn(text) && BrowserLauncher.program(in: text) == nil)
  }

  @Test("places on Linux and macOS")
  func places() throws {
    func places(_ name: String, _ system: BrowserKind.System) throws -> [String] {
      let kind = try #require(BrowserKind.all.first { $0.name == name })
      return kind.dataDirectories(home: "/h", configuration: "/h/.config", on: system)
        .map { kind.manifestDirectory(in: $0, on: system) }
    }
    #expect(try places("chromium", .linux) == ["/h/.config/chromium/NativeMessagingHosts"])
    #expect(try places("chrome", .linux).first == "/h/.config/google-chrome/NativeMessagingHosts")
    #expect(try places("brave", .linux).first == "/h/.config/BraveSoftware/Brave-Browser/NativeMessagingHosts")
    #expect(try places("edge", .linux).first == "/h/.config/microsoft-edge/NativeMessagingHosts")
    #expect(try places("firefox", .linux).first == "/h/.mozilla/native-messaging-hosts")
    #expect(try places("librewolf", .linux) == ["/h/.librewolf/native-messaging-hosts"])
    let support = "/h/Library/Application Support"
    #expect(try places("chrome", .macOS).first == "\(support)/Google/Chrome/NativeMessagingHosts")
    #expect(try places("edge", .macOS).first == "\(support)/Microsoft Edge/NativeMessagingHosts")
    #expect(try places("firefox", .macOS) == ["\(support)/Mozilla/NativeMessagingHosts"])
    #expect(Set(BrowserKind.all.map(\.name)).count == BrowserKind.all.count)
  }

  @Test(
    "the user's directory for downloads",
    arguments: [
      ("# x\nXDG_DOWNLOAD_DIR=\"$HOME/Téléchargements\"\n", "/h/Téléchargements"),
      ("XDG_DOWNLOAD_DIR=\"/data/a \\\"b\\\"/\"\n", "/data/a \"b\""), ("XDG_DOWNLOAD_DIR=\"$HOME/\"\n", nil),
      ("XDG_DOWNLOAD_DIR=\"$HOME\"", nil), ("XDG_DOWNLOAD_DIR=\"relative\"", nil), ("XDG_DOWNLOAD_DIR=\"", nil),
      ("XDG_DOWNLOAD_DIR=$HOME/x", nil), ("", nil),
      ("XDG_DOWNLOAD_DIR=\"/a\"\nXDG_DOWNLOAD_DIR=\"/b\"\r\n", "/b"),
    ] as [(String, String?)])
  func downloads(text: String, expected: String?) {
    #expect(UserDirectories.downloads(in: text, home: "/h") == expected)
  }
}

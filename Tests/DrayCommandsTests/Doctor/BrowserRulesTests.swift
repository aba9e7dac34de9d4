// What `dray doctor` says of browsers.

import DrayDocuments
import Testing

@testable import DrayCommands

@Suite("Findings about browsers")
struct BrowserRulesTests {
  private static let script = "/d/browser-host"

  private static func place(
    _ title: String, _ family: BrowserKind.Family = .firefox, _ state: BrowserRegistration.State? = nil
  ) -> BrowserRegistration {
    BrowserRegistration(
      title: title, family: family, path: "/m.json", state: state ?? .own(BrowserManifest(family, path: script)))
  }

  private static func findings(
    _ places: [BrowserRegistration], _ launcher: BrowserFacts.Launcher? = .starts("/usr/bin/dray", exists: true),
    sandboxed: [(title: String, kind: String)] = []
  ) -> [Finding] {
    BrowserRules.findings(
      BrowserFacts(
        registrations: places, launchers: launcher.map { [script: $0] } ?? [:], sandboxed: sandboxed))
  }

  @Test("all is well, or there is nothing")
  func good() {
    let places = [Self.place("Firefox"), Self.place("Chrome", .chromium), Self.place("Chrome", .chromium)]
    #expect(Self.findings(places).map(\.message) == ["Firefox, Chrome: the extension can start dray"])
    #expect(Self.findings([]).map(\.level) == [.good])
    // Nobody who uses no extension needs to know about sandboxes.
    #expect(Self.findings([], sandboxed: [("Firefox", "snap")]).count == 1)
    #expect(Self.findings(places, sandboxed: [("Chromium", "snap")]).map(\.level) == [.good, .limited])
  }

  @Test("each problem has its advice")
  func problems() {
    let rows: [(BrowserRegistration, BrowserFacts.Launcher?, String)] = [
      (Self.place("Firefox"), nil, "\(Self.script), which does not exist"),
      (Self.place("Firefox"), .missing, "\(Self.script), which does not exist"),
      (Self.place("Firefox"), .unusable, "no script of dray"),
      (Self.place("Firefox"), .starts("/old/dray", exists: false), "/old/dray, which does not exist"),
      (Self.place("Firefox", .firefox, .foreign("another program wrote it")), nil, "another program wrote it"),
    ]
    for (place, launcher, says) in rows {
      let found = Self.findings([place], launcher)
      #expect(found.count == 1 && found[0].level == .limited && found[0].message.contains(says), "\(found)")
      #expect(found.first?.advice?.contains("dray browser install") == true)
    }
    var other = BrowserManifest(.chromium, path: Self.script)
    other.extensions = []
    #expect(
      Self.findings([Self.place("Chromium", .chromium, .own(other))]).first?.message.contains("extension") == true)
  }
}

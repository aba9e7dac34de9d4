// The options of `dray browser install` and `uninstall` that choose browsers.

import ArgumentParser
import DrayDocuments
import Testing

@testable import DrayCommands

@Suite("Which browsers are meant")
struct BrowserArgumentsTests {
  private static let places = try? BrowserPlaces(["HOME": "/nobody", "XDG_CONFIG_HOME": "/nobody/c"])

  @Test("install and uninstall choose browsers by the same options", arguments: ["install", "uninstall"])
  func shared(command: String) throws {
    let browser = try #require(try reference().subcommand("browser"))
    let options = try #require(browser.subcommand(command)).visibleOptions.flatMap(\.texts)
    let expected = BrowserKind.all.map { "--\($0.name)" } + ["--all", "--user-data-dir", "--quiet"]
    for option in expected { #expect(options.contains(option), "\(option)") }
  }

  @Test(
    "each place once, in the order of the options",
    arguments: [
      ([], nil), (["-q"], nil), (["--firefox"], [".mozilla"]),
      (["--chrome", "--firefox"], ["google-chrome", ".mozilla"]),
      (["--firefox", "--user-data-dir", "dir"], [".mozilla", "/base/dir"]),
      (["--user-data-dir", "/d", "--user-data-dir", "/d"], ["/d"]),
    ] as [([String], [String]?)])
  func named(words: [String], parts: [String]?) throws {
    let named = try BrowserArguments.parse(words).named(try #require(Self.places), .fixed())
    #expect(named?.count == parts?.count)
    for (place, part) in zip(named ?? [], parts ?? []) { #expect(place.path.contains(part), "\(place.path)") }
  }

  @Test("all browsers that are known")
  func all() throws {
    let named = try BrowserArguments.parse(["--all", "--firefox"]).named(try #require(Self.places), .fixed())
    #expect(named?.map(\.title) == BrowserKind.all.map(\.title))
  }
}

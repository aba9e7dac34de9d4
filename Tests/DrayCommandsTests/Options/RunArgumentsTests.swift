// How many jobs run at once, in total and at one server, and whether anything is synced.

import ArgumentParser
import DrayKit
import Testing

@testable import DrayCommands

@Suite("Run options")
struct RunArgumentsTests {
  private func options(_ arguments: [String]) throws -> RunOptions { try RunArguments.parse(arguments).options() }

  private static let numbers: [([String], Int?, Int?)] = [
    ([], nil, nil), (["-j", "16"], 16, 16), (["-j", "3"], 3, 8), (["-j", "16", "--max-per-host", "2"], 16, 2),
    (["--max-per-host", "20"], nil, 20), (["-j", "auto", "--max-per-host", "auto"], nil, nil),
    (["-j", "4", "--max-per-host", "auto"], 4, nil),
  ]

  @Test(arguments: numbers)
  func aNumberThatIsTypedIsMeant(arguments: [String], jobs: Int?, perHost: Int?) throws {
    let options = try options(arguments)
    #expect(options.maxConcurrent == jobs && options.maxPerOrigin == perHost)
  }

  @Test func oneOfTheConfigurationIsAboutAllServersTogether() throws {
    var context = CommandContext()
    context.configured = ["max-concurrent-downloads"]
    let found = try CommandContext.$current.withValue(context) { try options(["-j", "16"]) }
    #expect(found.maxConcurrent == 16 && found.maxPerOrigin == 8)
  }

  @Test func syncing() throws {
    #expect(try options([]).syncs)
    #expect(try !options(["--no-sync"]).syncs)
  }

  @Test func stayingAwake() throws {
    #expect(try options([]).keepsAwake)
    #expect(try !options(["--inhibit", "off"]).keepsAwake)
    #expect(throws: (any Error).self) { try RunArguments.parse(["--inhibit", "on"]) }
  }

  private static let actions: [(String, [String]?)] = [
    ("sleep", ["systemctl", "suspend"]), ("poweroff", ["systemctl", "poweroff"]), ("./sleep", ["./sleep"]),
    ("~/bin/done 'a b' c", ["/home/ann/bin/done", "a b", "c"]), ("", nil), ("'", nil), ("a | b", nil),
  ]

  @Test(arguments: actions)
  func theActionAtTheEnd(text: String, words: [String]?) {
    let action = try? EndAction(text, home: "/home/ann")
    #expect(action?.words == words)
  }

  @Test func aRunWithoutEndHasNoAction() throws {
    let run = try RunArguments.parse(["--when-done", "sleep"])
    #expect(try run.endAction() == .sleep)
    #expect(throws: Failure.self) { try run.endAction(endless: "it does not end") }
    var context = CommandContext()
    context.configured = ["when-done"]
    let found = try CommandContext.$current.withValue(context) { try run.endAction(endless: "it does not end") }
    #expect(found == nil)
    #expect(try RunArguments.parse([]).endAction() == nil)
  }
}

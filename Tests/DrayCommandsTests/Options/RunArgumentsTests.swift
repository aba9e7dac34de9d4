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
}

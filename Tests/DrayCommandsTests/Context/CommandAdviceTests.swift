// The names of the command line in advice.

import DrayKit
import Testing

@testable import DrayCommands

@Suite struct CommandAdviceTests {
  /// The options of all commands, as typed.
  private static let options: Result<Set<String>, any Error> = Result {
    Set(OptionCatalog(try reference()).commands.flatMap { $0.options.values.flatMap(\.texts) })
  }

  @Test("advice names options that exist", arguments: Advice.Parameter.allCases)
  func exists(_ parameter: Advice.Parameter) throws {
    guard parameter != .stateDirectory else { return }
    let word = String(parameter.option.prefix { $0 != " " })
    #expect(try Self.options.get().contains(word), "\(word)")
  }

  @Test(
    "a setting has the name of its row",
    arguments: [
      (.stallTimeout, "--stall-timeout"), (.partDirectory, "--temp-dir"), (.proxyNTLM, "--proxy-ntlm"),
      (.maxSize, "--max-filesize"), (.output, "--output"), (.browserCookies, "--cookies-from-browser"),
    ] as [(Advice.Parameter, String)])
  func names(_ parameter: Advice.Parameter, _ option: String) { #expect(parameter.option == option) }
}

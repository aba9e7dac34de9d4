// The names of the command line in advice.

import DrayKit
import Testing

@testable import DrayCommands

@Suite struct CommandAdviceTests {
  @Test("advice names options that exist", arguments: Advice.Parameter.allCases)
  func options(_ parameter: Advice.Parameter) throws {
    guard parameter != .stateDirectory else { return }
    let word = String(parameter.option.prefix { $0 != " " })
    let isOption = try OptionCatalog(try reference()).commands.contains { command in
      command.options.values.contains { $0.texts.contains(word) }
    }
    #expect(isOption, "\(word)")
  }

  @Test(
    "a setting has the name of its row",
    arguments: [
      (.stallTimeout, "--stall-timeout"), (.partDirectory, "--temp-dir"), (.proxyNTLM, "--proxy-ntlm"),
      (.maxSize, "--max-filesize"), (.output, "--output"), (.browserCookies, "--cookies-from-browser"),
    ] as [(Advice.Parameter, String)])
  func names(_ parameter: Advice.Parameter, _ option: String) { #expect(parameter.option == option) }
}

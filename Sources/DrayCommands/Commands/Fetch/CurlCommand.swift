// `dray curl`: fetches what a command line of curl requests, as `dray get` does. PreparedCommand translates the command
// line before it is parsed. This file contains only the help text.

internal import ArgumentParser
internal import DrayKit

struct CurlCommand: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "curl",
    abstract: "Fetch what a curl command line asks for.",
    discussion: """
      Put `dray` before a line of curl, such as a browser copies it (Copy as cURL): the options are those of curl, with curl's \
      meaning, and the file is fetched as `dray get` would. Without -o the server or the URL names it; nothing goes to standard \
      output. Redirects are followed, and an error status is a failure. Fields that a browser sends about its own connection \
      and cache (Accept-Encoding, Range, If-None-Match, …) are left out, so that the file can be resumed. One line names what \
      was left out. With - alone the line is read from standard input, as a browser copies it for sh, for Windows' cmd \
      or for PowerShell.

      EXAMPLES
        dray curl 'https://example.org/big.iso' -H 'Cookie: session=7' --compressed
        dray curl -sSL -o tool.tgz https://example.org/tool.tgz
      """)

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("What follows `curl` in the line: options and URLs.", valueName: "word"))
  var words: [String] = []

  func execute() async throws -> ExitStatus {
    // PreparedCommand translates every command line except an empty one, so `words` is always empty here.
    _ = try CurlLine(words)
    return .usage
  }
}

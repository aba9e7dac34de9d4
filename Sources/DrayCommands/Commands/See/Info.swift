// `dray info`: finds out about a URL without fetching its file.

internal import ArgumentParser
internal import DrayKit
internal import DrayWire

struct Info: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show what a server says about a URL, without fetching it.",
    discussion: """
      Prints redirects, status, header fields, size, name and validators, whether a transfer could be resumed, the \
      server's certificate, and how long it took to answer. Nothing is queued or written.

      EXAMPLE
        dray info --json https://example.org/big.iso | jq .size
      """)

  @Argument(help: ArgumentHelp("The URL.", valueName: "url"))
  var url: String

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print more: the header fields of redirects.")
  var verbose = false

  @OptionGroup(title: "Options for images") var images: ImageArguments
  @OptionGroup(title: "Request options") var request: RequestArguments

  func checkSettings(_ surroundings: Surroundings) throws {
    try request.checkSettings(surroundings)
    _ = try images.choices()
  }

  func execute() async throws -> ExitStatus {
    var list = InputList()
    try list.append(url, place: "the URL")
    guard let entry = list.entries.first else { return .usage }
    var template = try RequestTemplate(request, try Surroundings.real())
    try template.prepare(for: entry.url)
    var wanted = template.request(for: entry, list.options(of: entry))
    HostLimits.current.apply(to: &wanted)
    if wanted.isInsecure { Messages.print(InsecureWarning.text) }
    for line in try SchemeInput.check(wanted) { Messages.print(line) }
    let report = try await DownloadManager.probe(
      wanted, knowing: try? Store.openIfPresent(), hosts: CommandContext.current.hosts)
    let output = ResultOutput.standard
    if json {
      output.write(HeadJSON.line(report, url: wanted.url))
    } else {
      output.write(ProbeText.text(report, isVerbose: verbose))
    }
    return try judge(report)
  }

  /// Turns an error status in the server's answer into a failure of the command.
  private func judge(_ report: ProbeReport) throws(Failure) -> ExitStatus {
    let status = report.response.head.status
    guard !(200...299).contains(status), status != 416 else { return .success }
    let kind: Failure.Kind = status == 401 || status == 407 ? .authentication : .status
    throw Failure(
      kind, report.response.finalURL.description,
      "the server answered \(SafeHead.statusLine(report.response.head))",
      httpStatus: status)
  }
}

// `dray info`: finds out about a URL without fetching its file.

internal import ArgumentParser
internal import DrayDocuments
internal import DrayKit
internal import DrayWire

struct Info: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show what a server says about a URL, or the files of a name, without fetching them.",
    discussion: """
      Prints redirects, status, header fields, size, name and validators, whether a transfer could be resumed, the \
      server's certificate, and how long it took to answer. Of a name (`dray help sources`), it lists the files with \
      their sizes and digests. Nothing is queued or written.

      EXAMPLES
        dray info --json https://example.org/big.iso | jq .size
        dray info hf:org/model
      """)

  @Argument(help: ArgumentHelp("The URL or the name.", valueName: "url"))
  var url: String

  @Flag(help: "Take a web address as it is, not as a name of files.")
  var noNames = false

  @Option(help: ArgumentHelp("Of a name, only files whose path matches this; may be repeated.", valueName: "pattern"))
  var include: [String] = []

  @Option(help: ArgumentHelp("Of a name, no file whose path matches this; may be repeated.", valueName: "pattern"))
  var exclude: [String] = []

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print more: the header fields of redirects.")
  var verbose = false

  @OptionGroup(title: "Options for images") var images: ImageArguments
  @OptionGroup(title: "Request options") var request: RequestArguments

  func checkSettings(_ surroundings: Surroundings) throws {
    try request.checkSettings(surroundings)
    _ = try (images.choices(), filter())
  }

  private func filter() throws(Failure) -> TreeFilter {
    TreeFilter(
      includes: try TreeArguments.patterns(include, "--include"),
      excludes: try TreeArguments.patterns(exclude, "--exclude"))
  }

  func execute() async throws -> ExitStatus {
    var list = InputList()
    try list.append(url, place: InputList.place(url))
    guard let entry = list.entries.first else { return .usage }
    var template = try RequestTemplate(request, try Surroundings.real())
    try template.prepare(for: entry.url)
    var wanted = template.request(for: entry, list.options(of: entry))
    HostLimits.current.apply(to: &wanted)
    if wanted.isInsecure { Messages.print(InsecureWarning.text) }
    let sources = CommandContext.current.sources
    if let name = list.options(of: entry).name ?? (noNames ? nil : sources.name(of: entry.url)) {
      return try await show(name, wanted)
    }
    let configured = CommandContext.current.configured
    let isTyped = !include.isEmpty && !configured.contains("include")
    guard !isTyped, exclude.isEmpty || configured.contains("exclude") else {
      throw OptionValue.bad("--include and --exclude", "they are for the files of a name: omit them")
    }
    for line in try SchemeInput.check(wanted) { Messages.print(line) }
    let report = try await DownloadManager.probe(
      wanted, knowing: try? Store.openIfPresent(), hosts: CommandContext.current.hosts)
    let output = ResultOutput.standard
    if json {
      output.write(HeadJSON.line(report, url: wanted.url))
    } else {
      output.write(ProbeText.text(report, isVerbose: verbose, columns: output.columns))
    }
    return try judge(report)
  }

  /// Lists the files of a name.
  private func show(_ name: SourceName, _ request: TransferRequest) async throws(Failure) -> ExitStatus {
    var choices = try images.choices()
    choices.patience = .none
    let client = try await SourceInput.client(request, choices)
    let filter = try filter()
    let answer = try await SignalWatch.endingPrograms { () async throws(Failure) in
      try await SourceInput.waiting(for: name.shown) { () async throws(Failure) in
        try await CommandContext.current.sources.find(name, client, for: .user)
      }
    }.filtered(filter)
    try answer.refuseEmpty(filter, name.shown)
    let output = ResultOutput.standard
    guard !json else {
      var text = JSONText()
      DocumentJSON.write(answer, of: name, size: answer.size, to: &text)
      text.endLine()
      output.write(text)
      return .success
    }
    output.write(SourceText.text(answer, of: name, isVerbose: verbose, columns: output.columns))
    return .success
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

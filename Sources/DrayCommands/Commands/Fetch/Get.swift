// `dray get`: queues jobs and transfers them at once, in the foreground.

internal import ArgumentParser
internal import DrayKit

struct Get: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Fetch URLs now.",
    discussion: """
      Queues the URLs and transfers them in the foreground. Repeating the command continues where it \
      stopped; complete files are not fetched again. The paths of completed files go to standard output \
      when that is a file, and with --print-path in any case. A name such as hf:org/model stands for the files of \
      a source: `dray help sources`.

      EXAMPLES
        dray get https://example.org/big.iso
        dray get -d ~/isos --checksum sha-256=HEX https://example.org/big.iso
        dray get -o - https://example.org/list.txt | sort
        dray get -j 16 -i urls.txt
        dray get -r -d mirror --include '*.iso' https://example.org/pub/
      """)

  @OptionGroup(title: "File options") var link: LinkArguments
  @OptionGroup(title: "File options") var job: JobArguments
  @OptionGroup(title: "Options for directories") var tree: TreeArguments
  @OptionGroup(title: "Request options") var request: RequestArguments
  @OptionGroup(title: "Options for what is sent") var body: BodyArguments
  @OptionGroup(title: "Run options") var run: RunArguments
  @OptionGroup(title: "Run options") var quota: QuotaArguments
  @OptionGroup(title: "Display options") var display: DisplayArguments

  @Flag(name: [.customShort("I"), .long], help: "Request only the header fields and print them. Nothing is queued.")
  var head = false

  func checkSettings(_ surroundings: Surroundings) throws {
    try job.checkSettings(request, surroundings)
    _ = try (tree.filter(), tree.levels(), tree.cut(), job.images.choices())
    _ = try (run.options(), quota.limit(), run.endAction())
    _ = try job.hooks.runHooks()
    _ = try Herald(display, showsFolder: DesktopNoticeCommand.start)
  }

  func execute() async throws -> ExitStatus { try await GetRun(self).run() }

  /// Returns the options with which the jobs are run. A user is watching, so a mistyped URL is reported at once.
  func runOptions() throws -> RunOptions {
    var options = try run.options()
    options.maxTransfer = try quota.limit()
    options.hooks = try job.hooks.runHooks()
    options.failsFast = true
    return options
  }

  /// Returns the URLs for which only the header fields are requested.
  /// - Throws: Kind `usage` before any request is sent.
  func headList(_ shape: RequestShape, _ surroundings: Surroundings) throws(Failure) -> SpecificationList {
    guard shape.source == nil, shape.method == nil else {
      throw OptionValue.bad("--head", "it cannot be combined with a body or another method: choose one")
    }
    guard job.outputs.isEmpty else {
      throw OptionValue.bad("--head", "header fields go to standard output: omit -o")
    }
    return try Operands.specifications(job, request, surroundings, shape)
  }
}

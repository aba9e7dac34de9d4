// `dray feed`: queues the entries of feeds.

internal import ArgumentParser
internal import DrayDocuments
internal import DrayKit

struct FeedCommand: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "feed",
    abstract: "Queue the files of feeds: podcasts, releases.",
    discussion: """
      Reads RSS 2.0, RSS 1.0, Atom and Media RSS, and queues the enclosures of their entries, newest first. What was \
      queued once is not queued again, even after its job was removed; entries are identified by guid, else by URL. \
      A file that failed is queued again. More than 20 old entries need --limit or --all. Entries with one file name \
      get their date in it, else a number. \
      A feed that has not changed is not transferred again. Secret request options go to the origin of \
      the feed only. `dray run` transfers the jobs.

      EXAMPLES
        dray feed https://example.org/podcast.xml -d ~/podcasts --limit 3
        dray feed --match interview https://example.org/podcast.xml
        dray feed --list https://example.org/releases.atom
      """)

  @OptionGroup(title: "File options") var job: JobArguments
  @OptionGroup(title: "Request options") var request: RequestArguments

  @Option(help: ArgumentHelp("Consider only this many of the newest entries.", valueName: "number"))
  var limit: String?

  @Option(
    help: ArgumentHelp(
      "Only entries whose title or URL matches this regular expression; case does not matter.", valueName: "regex"))
  var match: String?

  @Flag(name: [.customLong("list"), .customLong("dry-run")], help: "Show the entries; queue nothing.")
  var list = false

  @Flag(help: "Queue all entries, even if these are more than 20 old ones.")
  var all = false

  @Flag(help: "Also queue what was queued before.")
  var again = false

  @Flag(help: "Print JSON: an array with an object for each entry.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print only ids and errors.")
  var quiet = false

  func checkSettings(_ surroundings: Surroundings) throws {
    try job.checkSettings(request, surroundings)
    _ = try choice()
  }

  func execute() async throws -> ExitStatus {
    try refuseWhatMakesNoSense()
    let choice = try choice()
    let surroundings = try Surroundings.real()
    var feeds = InputList()
    for url in job.urls { try feeds.append(url, place: InputList.place(url)) }
    for line in feeds.remarks { Messages.print(line) }
    var template = try JobTemplate(try await job.inQueueDirectory(), request, surroundings)
    try await template.hosts.readQueues(job)
    if let warning = ConnectionArguments.warning(template.options.maxConnections) { Messages.print(warning) }
    let manager = list ? try Store.openIfPresent() : try Store.open()
    var report = FeedReport(isList: list, isJSON: json, isQuiet: quiet)
    var statuses: Set<ExitStatus> = []
    for feed in feeds.entries {
      let request = template.request.request(for: feed, feeds.options(of: feed))
      do throws(Failure) {
        let found = try await DownloadManager.loadFeed(request, choice, copies: manager)
        var (admitted, again): ([(FeedEntry, Admission)], [JobID]) = ([], [])
        if let manager, !list {
          try checkBacklog(found)
          admitted = try await queue(found, request, template, manager)
          if !self.again { again = try await manager.queueEnded(of: found) }
        }
        report.add(found, admitted, again: again)
      } catch {
        Messages.print(error)
        statuses.insert(error.exitStatus)
      }
    }
    report.finish()
    return ExitStatus.combined(statuses)
  }

  private func choice() throws(Failure) -> FeedChoice {
    let limit = try limit.map { (text) throws(Failure) in try OptionValue.count(text, "--limit", 1...1_000_000) }
    do throws(ExpressionError) {
      return try FeedChoice(limit: limit, match: match)
    } catch {
      throw OptionValue.bad(
        "--match", "\(OptionValue.quote(match ?? "")) is not a regular expression: \(error.message)")
    }
  }

  /// Refuses to queue the entries of a long history unless the user asked for them.
  private func checkBacklog(_ feed: FoundFeed) throws(Failure) {
    let count = feed.backlog
    guard !all, !again, limit == nil, count > FeedCommand.usual else { return }
    let what = feed.known.isEmpty ? "entries" : "entries older than what was queued"
    throw Failure(
      .usage, feed.url.description, "\(count) \(what), none queued",
      advice: "--limit 5 takes the newest five, --all takes all, --list shows them")
  }

  /// The number of old entries that are queued without being asked for.
  private static let usual = 20

  /// Queues the new entries of a feed, and records each entry together with its job.
  /// - Parameter request: The request that fetched the feed.
  private func queue(
    _ feed: FoundFeed, _ request: TransferRequest, _ template: JobTemplate, _ manager: DownloadManager
  ) async throws(Failure) -> [(FeedEntry, Admission)] {
    let wanted = again ? feed.entries : feed.entries.filter { !feed.known.contains($0.key) }
    var own = LineOptions()
    own.home = feed.url
    let context = CommandContext.current
    let isPolicyChosen = context.given.union(context.configured).contains("on-conflict")
    let specifications = wanted.map { entry in
      var job = template.specification(InputList.Entry(url: entry.url, line: 0), own, template.place)
      job.output = job.output ?? feed.fileNames[entry.key]
      // Another entry may have the same file name. If the user chose a policy for existing files, that policy applies.
      if !isPolicyChosen, job.options.onConflict == .fail { job.options.onConflict = .rename }
      // Credentials in the feed's URL belong to the origin of the feed, so entries at that origin get them too.
      if entry.url.origin == feed.url.origin {
        job.request.credentials = request.credentials
        job.request.netrcUser = request.netrcUser
      }
      return job
    }
    return Array(zip(wanted, try await manager.admit(specifications, marks: feed.marks(of: wanted))))
  }

  private func refuseWhatMakesNoSense() throws(Failure) {
    guard !job.urls.isEmpty else { throw OptionValue.bad("no feed is given", "write the URL of one") }
    let what = [
      (!job.outputs.isEmpty, "-o", "all files of a feed cannot have one name: use -d"),
      (job.inputFile != nil, "-i", "it reads a list of files: give the feeds as arguments"),
      (!job.mirror.isEmpty, "--mirror", "it is for one file: omit it"),
      (job.checksum != nil, "--checksum", "all files of a feed cannot have one digest"),
    ]
    for case (true, let option, let reason) in what { throw OptionValue.bad(option, reason) }
  }
}

// The directories that `-r` fetches. All of them are checked before the first request is sent.

internal import DrayDocuments
internal import DrayKit

/// The directories of a command line, and the settings that their files share.
struct TreeInput: Sendable {
  struct Start: Sendable {
    var url: RequestURL
    var userInfo: RequestURL.UserInfo?
    /// Whether the user typed the URL of the directory without the slash at its end.
    var isTypedAsFile = false
  }

  private(set) var starts: [Start] = []
  private let template: JobTemplate
  let filter: TreeFilter
  private let depth: Int?
  private let cut: Int?
  let assumedOrigins: Set<String>
  /// Remarks of one line each that are printed first.
  private(set) var remarks: [String] = []
  private(set) var isInsecure = false

  /// Checks the arguments.
  /// - Throws: Kind `usage`; nothing has been changed at that point.
  init(
    _ tree: TreeArguments, _ job: JobArguments, _ request: RequestArguments, _ shape: RequestShape,
    _ surroundings: Surroundings
  ) throws(Failure) {
    try TreeInput.refuseWhatMakesNoSense(job, shape)
    filter = try tree.filter()
    depth = try tree.levels()
    cut = try tree.cut()
    var list = InputList()
    var files: Set<Int> = []
    for (index, text) in job.urls.enumerated() {
      if !text.hasSuffix("/") { files.insert(index) }
      try TreeInput.refuseHabits(text, request)
      if let name = CommandContext.current.sources.name(in: text) {
        throw OptionValue.bad(
          name.shown, "-r is for directories, and a name already stands for all its files", advice: "omit -r")
      }
      try list.append(directory: text, place: InputList.place(text))
    }
    remarks = list.remarks
    var arguments = job
    // A file that exists and has not changed on the server is not fetched again.
    arguments.ifChanged = job.onConflict != .skip
    var template = try JobTemplate(arguments, request, surroundings, shape)
    // All files of a directory tree stay together.
    template.hosts.choosesDirectories = false
    for (index, entry) in list.entries.enumerated() {
      try template.prepare(for: entry.url)
      guard Scheme(entry.url)?.listing != nil else {
        throw OptionValue.bad(
          InputList.place(entry.url.description), "directories of this machine are not fetched",
          advice: "`cp -r` copies one")
      }
      let sample = template.request.request(for: entry, list.options(of: entry))
      for line in try SchemeInput.check(sample) where !remarks.contains(line) { remarks.append(line) }
      let job = template.specification(entry, list.options(of: entry), template.place)
      try template.checkAccess(to: job)
      for line in try ObjectInput.check(job, configured: CommandContext.current.configured)
      where !remarks.contains(line) {
        remarks.append(line)
      }
      isInsecure = isInsecure || sample.isInsecure
      starts.append(
        Start(url: entry.url, userInfo: list.options(of: entry).userInfo, isTypedAsFile: files.contains(index)))
    }
    if let warning = ConnectionArguments.warning(template.options.maxConnections) { remarks.append(warning) }
    self.template = template
    assumedOrigins = list.assumedOrigins
  }

  var directory: String { template.place.directory }

  /// The directory in which the trees are stored, with the access to an object store.
  var place: DirectoryPlace { template.place.place }

  func request(_ start: Start) -> TreeRequest {
    var request = template.request.request(for: InputList.Entry(url: start.url, line: 0), own(start))
    request.cache?.ifChanged = nil
    var tree = TreeRequest(request, filter: filter, depth: depth)
    tree.cut = cut
    return tree
  }

  func specification(of file: TreeFile, below start: Start) -> JobSpecification {
    let place = TargetPlace(place: DirectoryPlace(directory), name: file.path.name)
    var job = template.specification(InputList.Entry(url: file.url, line: 0), own(start), place)
    file.apply(to: &job, below: start.url)
    return job
  }

  private func own(_ start: Start) -> LineOptions {
    var own = LineOptions()
    (own.home, own.userInfo) = (start.url, start.userInfo)
    return own
  }

  /// Refuses values that make sense only if the user meant the `-r` of curl, or the `-A` or `-R` of wget.
  private static func refuseHabits(_ text: String, _ request: RequestArguments) throws(Failure) {
    let range = text.split(separator: "-", omittingEmptySubsequences: false)
    if range.count == 2, range.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }), text.count > 1 {
      throw OptionValue.bad(
        "-r", "it means --recursive, and \(text) is not a directory",
        advice: "dray fetches whole files; curl -r fetches a part of one")
    }
    if !text.contains("://"), text.contains("*") || text.contains("?") {
      throw OptionValue.bad(
        OptionValue.quote(text), "this is a pattern, not a URL", advice: "-A and -R of wget are --include and --exclude"
      )
    }
    if let wildcard = URLWildcard(text) {
      throw OptionValue.bad(
        InputList.place(text), "-r takes a directory", advice: Advice("write \(wildcard.arguments)"))
    }
    if let agent = request.userAgent, agent.contains("*") {
      throw OptionValue.bad(
        "-A", "it means --user-agent, and \(OptionValue.quote(agent)) looks like a pattern",
        advice: "write --include for what wget calls -A, and --exclude for -R")
    }
  }

  private static func refuseWhatMakesNoSense(_ job: JobArguments, _ shape: RequestShape) throws(Failure) {
    guard !job.urls.isEmpty else { throw OptionValue.bad("-r", "no directory is given", advice: "write its URL") }
    let what = [
      (!job.outputs.isEmpty, "-o", "all files of a directory cannot have one name: use -d"),
      (job.inputFile != nil, "-i", "it reads a list of files: give directories as arguments"),
      (job.metalinkFile != nil || job.metalink, "--metalink", "it is for files: omit it, or -r"),
      (job.catalog != nil, "--catalog", "it names files: omit it, or -r"),
      (!job.mirror.isEmpty, "--mirror", "it is for one file: omit it"),
      (job.checksum != nil, "--checksum", "all files of a directory cannot have one digest"),
      (!shape.isSafe, "-r", "a request that sends data is for one URL: omit what is sent"),
      (shape.changesURLs, "--query", "an index of a directory has no query: omit it"),
      (
        job.onConflict == .rename, "--on-conflict rename",
        "each run would make another copy: use overwrite, skip, or the default"
      ),
    ]
    for case (true, let option, let reason) in what { throw OptionValue.bad(option, reason) }
  }
}

// From the options of `get` and `add` to specifications of jobs: all checked before the first is made.

internal import DrayKit
internal import Posix

/// What every job of a command line has in common.
struct JobTemplate: Sendable {
  private(set) var request: RequestTemplate
  private(set) var options: JobOptions
  /// Whether only what changed is fetched.
  let ifChanged: Bool
  let place: TargetPlace
  let priority: Int
  var hosts: HostLimits
  let after: [JobID]
  private let partNaming: PartNaming
  let startAt: Double?

  /// Checks the options.
  /// - Throws: kind `usage`, naming the option.
  init(
    _ arguments: JobArguments, _ request: RequestArguments, _ surroundings: Surroundings,
    _ shape: RequestShape = .plain
  ) throws(Failure) {
    var options = JobOptions()
    options.onConflict = arguments.onConflict
    // An answer that cannot be had again is not lost to a name that the server chose and that is taken.
    if !shape.isSafe, arguments.output == nil, options.onConflict == .fail { options.onConflict = .rename }
    options.resume = arguments.resume
    partNaming = arguments.partName
    if arguments.noMtime { options.keepsArrivalTime = true }
    ifChanged = arguments.ifChanged
    guard !ifChanged || arguments.onConflict == .fail || arguments.onConflict == .overwrite else {
      throw OptionValue.bad(
        "--if-changed",
        "it replaces changed files, which --on-conflict \(arguments.onConflict) forbids: choose one")
    }
    if let text = arguments.checksum { options.digest = try OptionValue.digest(text, "--checksum") }
    if arguments.verify != .offered { options.verify = arguments.verify }
    options.verifyKey = try arguments.verifyKey.map { (text) throws(Failure) in
      try surroundings.minisignKey(text, "--verify-key")
    }
    guard options.verifyKey == nil || arguments.verify.looksBeside else {
      throw OptionValue.bad(
        "--verify-key", "it is for digest lists next to the file, which are not searched for",
        advice: "add --verify auto")
    }
    if let text = arguments.expectType { options.expectedType = try OptionValue.type(text, "--expect-type") }
    options.allowedTypes = try OptionValue.types(arguments.allowType, "--allow-type")
    if let text = arguments.limitRate { options.rateLimit = try OptionValue.limit(text, "--limit-rate") }
    if let text = arguments.maxTime { options.maxTime = try OptionValue.seconds(text, "--max-time", mayBeZero: false) }
    if let text = arguments.maxFilesize { options.maxSize = try OptionValue.size(text, "--max-filesize") }
    options.maxConnections = try arguments.connections.count()
    if let text = arguments.retries {
      options.retries = try OptionValue.count(text, "--retries", JobOptions.retryRange)
    }
    if let text = arguments.retryWait { options.retryWait = try OptionValue.seconds(text, "--retry-wait") }
    if let text = arguments.maxRetryWait { options.maxRetryWait = try OptionValue.seconds(text, "--max-retry-wait") }
    options.hooks = try arguments.hooks.jobHooks()
    self.options = options
    hosts = HostLimits.current
    priority =
      try arguments.priority.map { (text) throws(Failure) in
        try OptionValue.count(text, "--priority", OptionValue.priorities)
      } ?? 0
    after = try OptionValue.ids(arguments.after, "--after")
    startAt = try arguments.startAt.map { (text) throws(Failure) in try OptionValue.start(text, "--start-at") }
    place = try TargetPlace(
      dir: arguments.dir, output: arguments.output, base: surroundings.currentDirectory, kind: surroundings.kind,
      resolve: surroundings.withoutParents)
    try surroundings.checkDirectory(place.directory, arguments.dir == nil ? "--output" : "--dir")
    if let name = place.name, surroundings.kind(PathText.join(place.directory, name)) == .directory {
      throw OptionValue.bad(
        "--output", "\(PathText.join(place.directory, name)) is a directory", advice: "-d names a directory, -o a file")
    }
    self.request = try RequestTemplate(request, surroundings)
    self.request.add(shape, body: nil)
  }

  /// Gives all requests the body that was spooled.
  mutating func send(_ body: RequestBody, of shape: RequestShape) { request.add(shape, body: body) }

  /// Makes all jobs one-off errands.
  mutating func markOneOff() { options.isOneOff = true }

  /// Prepares for such a URL, where that needs more than options.
  mutating func prepare(for url: RequestURL) throws(Failure) { try request.prepare(for: url) }

  /// The specification of one entry, where its own options name a place that can be.
  func specification(_ entry: InputList.Entry, _ own: LineOptions, _ place: TargetPlace) -> JobSpecification {
    var options = options
    if partNaming == .visible { options.partStem = place.name ?? FileName.fromURLPath(entry.url.path) }
    var request = request.request(for: entry, own)
    if ifChanged { request.cache = CachePolicy(ifChanged: TargetBaseline(), noCache: request.cache?.noCache ?? false) }
    var job = JobSpecification(
      request: request, options: options, directory: place.directory, foreignDepth: place.place.foreignDepth,
      output: place.name,
      priority: own.priority ?? priority, startAt: own.startAt ?? startAt, after: own.after ?? after)
    own.offer?.apply(to: &job)
    own.apply(to: &job.options)
    hosts.apply(to: &job)
    own.applyLast(to: &job)
    return job
  }
}

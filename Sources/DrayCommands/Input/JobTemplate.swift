// Turns the options of `dray get` and `dray add` into specifications of jobs. All options are checked before the first
// specification is made.

internal import DrayKit
internal import Posix

/// The settings that all jobs of a command line share.
struct JobTemplate: Sendable {
  private(set) var request: RequestTemplate
  /// A job with all shared settings, but without its request.
  private var job: JobSpecification
  let ifChanged: Bool
  let place: TargetPlace
  var hosts: HostLimits
  private let partNaming: PartNaming
  /// Whether the command line names the directory; if not, a rule may choose it.
  private let namesDirectory: Bool
  private let objectAccess: ObjectAccessFinder
  /// Whether the access to the object store is stored in every job.
  var keepsAccess = false

  var options: JobOptions { job.options }
  var after: [JobID] { job.after }

  /// Checks the options.
  /// - Throws: Kind `usage` with the name of the option.
  init(
    _ arguments: JobArguments, _ request: RequestArguments, _ surroundings: Surroundings,
    _ shape: RequestShape = .plain
  ) throws(Failure) {
    var job = JobSpecification.plain
    try arguments.connections.refuseProxy()
    try TypedSettings.put(arguments, into: &job)
    // An answer that cannot be requested a second time must not be lost just because the name that the server chose is
    // taken.
    if !shape.isSafe, arguments.outputs.isEmpty, job.options.onConflict == .fail { job.options.onConflict = .rename }
    partNaming = arguments.partName
    ifChanged = arguments.ifChanged
    guard !ifChanged || arguments.onConflict == .fail || arguments.onConflict == .overwrite else {
      throw OptionValue.bad(
        "--if-changed",
        "it replaces changed files, which --on-conflict \(arguments.onConflict) forbids: choose one")
    }
    if arguments.verify != .offered { job.options.verify = arguments.verify }
    job.options.verifyKey = try arguments.verifyKey.map { (text) throws(Failure) in
      try surroundings.minisignKey(text, "--verify-key")
    }
    guard job.options.verifyKey == nil || arguments.verify.looksBeside else {
      throw OptionValue.bad(
        "--verify-key", "it is for digest lists next to the file, which are not searched for",
        advice: "add --verify auto")
    }
    job.options.partDirectory = try arguments.tempDir.map { (text) throws(Failure) in
      try surroundings.directory(text, "--temp-dir")
    }
    job.options.seeding = try SeedInput.seeding(arguments, shape, surroundings)
    job.options.hooks = try arguments.hooks.jobHooks()
    hosts = HostLimits.current
    job.given = hosts.given.contains("netrc") ? hosts.given.union(["netrc-file"]) : hosts.given
    self.job = job
    namesDirectory = hosts.given.contains("dir") || arguments.outputs.contains { $0.contains("/") }
    place = try TargetPlace(
      dir: arguments.dir(for: arguments.output).map(surroundings.homed),
      output: arguments.output.map(surroundings.homed),
      base: surroundings.currentDirectory, kind: surroundings.kind, resolve: surroundings.withoutParents)
    try surroundings.checkDirectory(place.directory, arguments.dir == nil ? "--output" : "--dir")
    // If the target is an existing directory, the policy decides, but a directory is never replaced (N5).
    if let name = place.name, place.place.traits.holdsFiles, job.options.onConflict.stopsAtDirectory,
      surroundings.kind(PathText.join(place.directory, name)) == .directory
    {
      throw Failure(
        .file, PathText.join(place.directory, name), "it is a directory", advice: "-d names a directory, -o a file")
    }
    self.request = try RequestTemplate(request, surroundings)
    self.request.add(shape, body: nil)
    objectAccess = ObjectAccessFinder(
      arguments.objects, request.schemes, trust: self.request.trust, environment: surroundings.environment)
  }

  mutating func send(_ body: RequestBody, of shape: RequestShape) { request.add(shape, body: body) }

  /// Marks all jobs as one-off, so that lists hide them some time after they are complete.
  mutating func markOneOff() { job.options.isOneOff = true }

  /// Prepares for the requests of a URL that need more than the options.
  mutating func prepare(for url: RequestURL) throws(Failure) { try request.prepare(for: url) }

  /// Returns a job for a URL, if all jobs without options of their own differ only in their URLs.
  func common(with url: RequestURL) -> JobSpecification? {
    guard request.isUniform, hosts.areNone, partNaming == .hidden, !(job.options.inOrder ?? false) else { return nil }
    return specification(InputList.Entry(url: url, line: 0), LineOptions(), place)
  }

  /// Returns the specification for one entry, whose place has already been checked.
  func specification(_ entry: InputList.Entry, _ own: LineOptions, _ place: TargetPlace) -> JobSpecification {
    var job = job
    job.request = request.request(for: entry, own)
    if ifChanged {
      job.request.cache = CachePolicy(ifChanged: TargetBaseline(), noCache: job.request.cache?.noCache ?? false)
    }
    (job.directory, job.foreignDepth, job.output) = (place.directory, place.place.foreignDepth, place.name)
    job.given?.formUnion(own.given)
    own.offer?.apply(to: &job)
    own.apply(to: &job.options)
    (job.options.source, job.group) = (own.source, own.group ?? job.group)
    if let source = own.source { job.options.onConflict = source.policy(job.options.onConflict) }
    let isPlaced =
      own.dir != nil || own.source != nil || [own.out, own.patternName].contains { $0?.contains("/") ?? false }
    hosts.apply(to: &job, keepsDirectory: namesDirectory || isPlaced, namesQueue: own["queue"] != nil)
    if partNaming == .visible { job.options.partStem = job.visibleStem } else { job.namePartInOrder() }
    addAccess(to: &job)
    return job
  }

  /// Stores the access to the object store in a job whose target is an object. Nothing can fail here, because
  /// ``checkAccess(to:)`` has already thrown any failure.
  func addAccess(to job: inout JobSpecification) {
    guard job.place.traits.needsAccess || keepsAccess && objectAccess.isNamed, let access = try? objectAccess.access()
    else {
      return
    }
    job.objectOptions.access = access
    job.objectOptions.hasOwnAccess = objectAccess.isOwn ? true : nil
  }

  /// The server for `s3` URLs; `nil` if no URL needed one.
  var sourceServer: String? { request.server }

  /// Returns the access to object stores.
  /// - Throws: Kind `usage`.
  func access() throws(Failure) -> ObjectAccess { try objectAccess.access() }

  /// Checks the access to the object that is the target of a job.
  /// - Throws: Kind `usage`.
  func checkAccess(to job: JobSpecification) throws(Failure) {
    if job.place.traits.needsAccess || keepsAccess && objectAccess.isNamed { _ = try objectAccess.access() }
  }
}

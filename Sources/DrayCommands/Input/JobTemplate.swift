// From the options of `get` and `add` to specifications of jobs: all checked before the first is made.

internal import DrayKit

/// What every job of a command line has in common.
struct JobTemplate: Sendable {
  static let priorities = -1_000_000...1_000_000

  private(set) var request: RequestTemplate
  let options: JobOptions
  /// Whether only what changed is fetched.
  let ifChanged: Bool
  let place: TargetPlace
  let priority: Int
  let hosts: HostLimits
  let after: [JobID]
  let startAt: Double?

  /// Checks the options.
  /// - Throws: kind `usage`, naming the option.
  init(
    _ arguments: JobArguments, _ request: RequestArguments, _ surroundings: Surroundings,
    _ plan: RequestPlan = .plain
  ) throws(Failure) {
    var options = JobOptions()
    options.onConflict = arguments.onConflict
    // An answer that cannot be had again is not lost to a name that the server chose and that is taken.
    if !plan.isSafe, arguments.output == nil, options.onConflict == .fail { options.onConflict = .rename }
    options.resume = arguments.resume
    if arguments.noMtime { options.keepsArrivalTime = true }
    ifChanged = arguments.ifChanged
    guard !ifChanged || arguments.onConflict == .fail || arguments.onConflict == .overwrite else {
      throw OptionValue.bad(
        "--if-changed",
        "it replaces a file that changed, and --on-conflict \(arguments.onConflict) does not: choose one")
    }
    if let text = arguments.checksum { options.digest = try OptionValue.digest(text, "--checksum") }
    if arguments.verify != .offered { options.verify = arguments.verify }
    options.verifyKey = try arguments.verifyKey.map { (text) throws(Failure) in
      try OptionValue.minisignKey(text, "--verify-key", surroundings)
    }
    guard options.verifyKey == nil || arguments.verify.looksBeside else {
      throw OptionValue.bad(
        "--verify-key", "it is the key of lists beside the file, which are not looked for",
        advice: "add --verify auto")
    }
    if let text = arguments.expectType { options.expectedType = try OptionValue.type(text, "--expect-type") }
    if let text = arguments.limitRate { options.rateLimit = try OptionValue.rate(text, "--limit-rate") }
    options.maxConnections = try arguments.connections.count()
    if let text = arguments.retries { options.retries = try OptionValue.count(text, "--retries", 0...1_000_000) }
    if let text = arguments.retryWait { options.retryWait = try OptionValue.seconds(text, "--retry-wait") }
    if let text = arguments.maxRetryWait { options.maxRetryWait = try OptionValue.seconds(text, "--max-retry-wait") }
    options.hooks = try arguments.hooks.jobHooks()
    self.options = options
    hosts = HostLimits.current
    priority =
      try arguments.priority.map { (text) throws(Failure) in
        try OptionValue.count(text, "--priority", JobTemplate.priorities)
      } ?? 0
    after = try OptionValue.ids(arguments.after, "--after")
    startAt = try arguments.startAt.map { (text) throws(Failure) in try OptionValue.start(text, "--start-at") }
    place = try TargetPlace(dir: arguments.dir, output: arguments.output, base: surroundings.currentDirectory)
    try surroundings.checkDirectory(place.directory, arguments.dir == nil ? "--output" : "--dir")
    if let name = place.name, surroundings.kind(Job.join(place.directory, name)) == .directory {
      throw OptionValue.bad(
        "--output", "\(Job.join(place.directory, name)) is a directory", advice: "-d takes a directory, -o a file")
    }
    self.request = try RequestTemplate(request, surroundings)
    self.request.add(plan, body: nil)
  }

  /// Gives all requests the body that was spooled.
  mutating func send(_ body: RequestBody, of plan: RequestPlan) { request.add(plan, body: body) }

  /// Prepares for such a URL, where that needs more than options.
  mutating func prepare(for url: RequestURL) throws(Failure) { try request.prepare(for: url) }

  /// The specification of one entry, where its own options name a place that can be.
  func specification(_ entry: InputList.Entry, _ own: LineOptions, _ place: TargetPlace) -> JobSpecification {
    var options = options
    own.apply(to: &options)
    var request = request.request(for: entry, own)
    if ifChanged { request.cache = CachePolicy(ifChanged: TargetBaseline(), noCache: request.cache?.noCache ?? false) }
    var job = JobSpecification(
      request: request, options: options, directory: place.directory, foreignDepth: place.place.foreignDepth,
      output: place.name,
      priority: own.priority ?? priority, startAt: own.startAt ?? startAt, after: own.after ?? after)
    hosts.apply(to: &job)
    // What a list says of one URL goes before what the configuration says of its host.
    if let count = own.maxConnections { job.options.maxConnections = count }
    return job
  }
}

/// The jobs of a command line: a few words each, made into specifications when they are asked for.
struct SpecificationList: RandomAccessCollection, Sendable {
  private var template: JobTemplate
  private let list: InputList
  /// The places of entries that have options of their own, by the number of those.
  private let places: [TargetPlace]
  /// What is to be said of them, one line each: options that the schemes of some URLs have no use for, and more
  /// connections than servers like.
  private(set) var remarks: [String] = []

  /// Reads what is to be fetched.
  /// - Throws: kind `usage`; nothing was touched then.
  init(
    _ arguments: JobArguments, _ request: RequestArguments, _ surroundings: Surroundings,
    _ plan: RequestPlan = .plain
  ) throws(Failure) {
    guard arguments.inputFile != "-" || !request.authentication.passwordStdin else {
      throw OptionValue.bad("-i - and --password-stdin", "both read standard input: give one of them a file")
    }
    let list = try Operands.list(arguments, surroundings)
    try self.init(list, try JobTemplate(arguments, request, surroundings, plan), arguments, surroundings, plan)
  }

  /// The same for a list that has been read.
  init(
    _ list: InputList, _ template: JobTemplate, _ arguments: JobArguments, _ surroundings: Surroundings,
    _ plan: RequestPlan
  ) throws(Failure) {
    guard !list.entries.isEmpty else {
      throw OptionValue.bad("no URL is given", "write one, or name a list of them with -i")
    }
    guard arguments.output == nil || list.entries.count == 1 else {
      throw OptionValue.bad(
        "-o", "one name cannot be that of \(list.entries.count) files: use -d, or out= in a list")
    }
    var (list, template) = (list, template)
    if plan.changesURLs { try list.changeURLs { (url) throws(Failure) in try plan.url(url) } }
    try SpecificationList.addMirrors(arguments.mirror, to: &list, plan)
    for entry in list.entries { try template.prepare(for: entry.url) }
    self.template = template
    places = try SpecificationList.places(list, template, surroundings, file: arguments.inputFile)
    self.list = list
    remarks = try SchemeInput.check(self)
    let most = ([template.options.maxConnections] + list.options.map(\.maxConnections)).compactMap(\.self).max()
    if let warning = ConnectionArguments.warning(most) { remarks.append(warning) }
  }

  /// Gives the one URL its mirrors.
  private static func addMirrors(_ urls: [String], to list: inout InputList, _ plan: RequestPlan) throws(Failure) {
    guard let own = list.entries.first?.url, !urls.isEmpty else { return }
    guard list.entries.count == 1 else {
      throw OptionValue.bad(
        "--mirror", "it is another URL of one file, and there are \(list.entries.count) files",
        advice: "in a list for -i, mirrors stand behind the URL, after tabs")
    }
    guard plan.isSafe else {
      throw OptionValue.bad("--mirror", "a request that sends something is made once, to one server: leave it out")
    }
    for text in urls {
      guard (try? RequestURL.parse(text))?.userInfo == nil else {
        throw OptionValue.bad(
          "--mirror", "user name and password go to the first URL only",
          advice: "put those of a mirror into a [host.\"…\"] section of the configuration")
      }
      try list.changeLast { (last: inout LineOptions) throws(Failure) in
        try last.addMirror(text, "--mirror")
        last.mirrors.removeAll { $0 == own }
      }
    }
  }

  /// Gives all of them the body that was spooled.
  mutating func send(_ body: RequestBody, of plan: RequestPlan) { template.send(body, of: plan) }

  var startIndex: Int { 0 }
  var endIndex: Int { list.entries.count }

  subscript(index: Int) -> JobSpecification {
    let entry = list.entries[index]
    let place = entry.options < 0 ? template.place : places[Int(entry.options)]
    return template.specification(entry, list.options(of: entry), place)
  }

  /// Whether certificates are not checked.
  var isInsecure: Bool { first?.request.isInsecure ?? false }

  private static func places(
    _ list: InputList, _ template: JobTemplate, _ surroundings: Surroundings, file: String?
  ) throws(Failure) -> [TargetPlace] {
    var places = [TargetPlace](repeating: template.place, count: list.options.count)
    var checked: Set<String> = [template.place.directory]
    for entry in list.entries where entry.options >= 0 {
      let own = list.options(of: entry)
      guard own.out != nil || own.dir != nil else { continue }
      let line = "\(file.map { $0 == "-" ? "standard input" : TextSafety.escaped($0) } ?? "list"):\(entry.line)"
      let base = own.dir == nil ? template.place.directory : surroundings.currentDirectory
      let place = try TargetPlace(
        dir: own.dir, output: own.out, base: base, names: ("\(line): dir=", "\(line): out="), isForeign: true)
      if checked.insert(place.directory).inserted {
        try surroundings.checkDirectory(place.directory, line)
      }
      places[Int(entry.options)] = place
    }
    return places
  }

  /// A URL as errors name it.
  static func place(_ text: String) -> String {
    text.isEmpty ? "the URL" : TextSafety.escaped(URLRedaction.redacted(text.start(200)))
  }
}

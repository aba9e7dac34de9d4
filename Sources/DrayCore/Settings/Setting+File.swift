// The rows about what becomes of a file, and those that only `dray export` writes.

extension Setting {
  /// All of them, in the order in which they are shown.
  public static let all: [Setting] = file + request + authentication + schemes + exports

  /// The priorities that a job may have.
  public static let priorities = -1_000_000...1_000_000

  static let file: [Setting] = [
    Setting(
      reading: "dir", copy: { from, to in (to.directory, to.foreignDepth) = (from.directory, from.foreignDepth) },
      values: { [$0.output == nil ? $0.directory : $0.place.base] }),
    Setting(
      reading: "out", copy: { from, to in to.output = from.output },
      values: { job in job.output.map { [(job.place.foreign + [$0]).joined(separator: "/")] } ?? [] }),
    Setting("priority", .count(priorities), at: \.priority).forClients,
    Setting(list: "after", .id, at: \.after, shape: .integers, separator: ","),
    Setting("start-at", .start, optional: \.startAt),
    Setting("on-conflict", .word, at: \.options.onConflict),
    Setting("resume", .word, at: \.options.resume).forClients,
    Setting("checksum", .digest, optional: \.givenDigest),
    Setting("size", .bytes, optional: \.options.expectedSize),
    Setting("expect-type", .type, optional: \.options.expectedType),
    Setting(list: "allow-type", .type, at: \.allowedTypes, shape: .string, separator: ",").forClients.joined,
    Setting(
      reading: "verify", copy: { from, to in to.options.verify = from.options.verify },
      values: { $0.options.verify.map { [$0.rawValue] } ?? [] }
    ).with("verify-key").forClients,
    Setting(
      reading: "verify-key", copy: { from, to in to.options.verifyKey = from.options.verifyKey },
      values: { $0.options.verifyKey.map { [$0] } ?? [] }
    ).with("verify").forClients,
    Setting(list: "mirror", .mirror, at: \.mirrors).with { $0.isSecret = isSecretURL },
    Setting("max-connections", .countOrAuto(JobOptions.connectionRange), at: \.options.maxConnections)
      .forClients.host(.whenAdded),
    Setting("limit-rate", .limit, at: \.options.rateLimit).forClients.host(.whenAdded),
    Setting("max-time", .seconds(mayBeZero: false), optional: \.options.maxTime).forClients,
    Setting("max-filesize", .size, optional: \.options.maxSize).forClients,
    Setting("retries", .count(JobOptions.retryRange), at: \.options.retries).forClients.host(.whenAdded),
    Setting("retry-wait", .seconds(), at: \.options.retryWait).forClients.host(.whenAdded),
    Setting("max-retry-wait", .seconds(), at: \.options.maxRetryWait).forClients,
    Setting(flag: "no-mtime", true, at: \.options.keepsArrivalTime).forClients,
    hook("on-complete", \.hooks.onComplete), hook("on-error", \.hooks.onError),
  ]

  private static func hook(
    _ name: String, _ path: any WritableKeyPath<JobSpecification, [String]?> & Sendable
  ) -> Setting {
    Setting(
      reading: name, copy: { from, to in to[keyPath: path] = from[keyPath: path] },
      values: { job in job[keyPath: path].map { [CommandWords.joined($0)] } ?? [] }
    ).own.forClients
  }

  /// This list, whose values are one text with commas between them.
  private var joined: Setting {
    Setting(
      name, shape, values: { job in values(job).isEmpty ? [] : [values(job).joined(separator: ",")] }, put: put,
      copy: copy
    ).with { $0.isForClients = isForClients }
  }

  /// What only documents and dray itself say of a job: it is written by `dray export`.
  static let exports: [Setting] = [
    Setting("checksum-source", .source, optional: \.options.digestSource).exported,
    Setting(
      "pieces", .strings, values: { job in
        job.options.pieces.map { [$0.algorithm.rawValue, "\($0.length)"] + $0.hashes } ?? []
      },
      put: { (job: inout JobSpecification, texts: [String], _: SettingContext) throws(SettingProblem) in
        guard !texts.isEmpty else { return job.options.pieces = nil }
        guard texts.count > 2, let algorithm = DigestAlgorithm(rawValue: texts[0]), let length = Int64(texts[1]),
          length > 0
        else { throw SettingProblem("pieces are an algorithm, a length, and hashes") }
        job.options.pieces = PieceHashes(algorithm: algorithm, length: length, hashes: Array(texts.dropFirst(2)))
      }, copy: { from, to in to.options.pieces = from.options.pieces }
    ).exported,
    Setting("part-stem", .text, optional: \.options.partStem).exported,
    Setting(list: "cookies-taken", .text, at: \.takenCookies).secret.exported,
    Setting("aws-session-token", .text, optional: \.sessionToken).secret.exported,
    Setting(
      "if-changed", .boolean, values: { $0.request.cache?.ifChanged == nil ? [] : ["yes"] },
      put: { (job: inout JobSpecification, texts: [String], _: SettingContext) throws(SettingProblem) in
        let isOn = try texts.last.map { (text) throws(SettingProblem) in try isYes(text) } ?? false
        if isOn { job.cachePolicy.ifChanged = TargetBaseline() }
      }, copy: { from, to in to.cachePolicy.ifChanged = from.cachePolicy.ifChanged }
    ).exported,
  ]

  /// Whether a URL has something in it that is not shown.
  @Sendable public static func isSecretURL(_ text: String) -> Bool { URLRedaction.redacted(text) != text }
}

extension SettingForm where Value == DigestSource {
  /// Who says what a digest is.
  fileprivate static var source: SettingForm {
    SettingForm(text: { $0.rawValue }) { (text, _) throws(SettingProblem) in DigestSource(rawValue: text) }
  }
}

extension JobSpecification {
  /// The digest that the user gave; another source is forgotten with it.
  fileprivate var givenDigest: DigestValue? {
    get { options.digest }
    set { (options.digest, options.digestSource) = (newValue, nil) }
  }

  fileprivate var allowedTypes: [ExpectedType] {
    get { options.allowedTypes ?? [] }
    set { options.allowedTypes = newValue.isEmpty ? nil : newValue }
  }

  /// The other URLs of the file, without its own.
  fileprivate var mirrors: [RequestURL] {
    get { options.mirrors ?? [] }
    set {
      let others = newValue.filter { $0 != request.url }
      options.mirrors = others.isEmpty ? nil : others
    }
  }

  fileprivate var hooks: Hooks {
    get { options.hooks ?? Hooks() }
    set { options.hooks = newValue == Hooks() ? nil : newValue }
  }

  fileprivate var takenCookies: [String] {
    get { cookieOptions.taken ?? [] }
    set { cookieOptions.taken = newValue.isEmpty ? nil : newValue }
  }

  fileprivate var sessionToken: String? {
    get { request.signature?.sessionToken }
    set { request.signature?.sessionToken = newValue }
  }
}

// The table of settings: what becomes of a file.

internal import DrayKit
internal import DrayWire

extension JobSetting {
  /// All of them, in the order in which they are shown.
  static let all: [JobSetting] = file + request + authentication + schemes + exports

  private static let file: [JobSetting] = [
    JobSetting(
      name: "dir", shape: .string, way: .place,
      values: { [$0.output == nil ? $0.directory : $0.place.base] }),
    JobSetting(
      name: "out", shape: .string, way: .place,
      values: { job in job.output.map { [(job.place.foreign + [$0]).joined(separator: "/")] } ?? [] }),
    JobSetting(
      "priority", .integer, put: \.job.priority, copy: { $1.priority = $0.priority },
      value: { $0.priority == 0 ? nil : "\($0.priority)" }),
    JobSetting(
      list: "after", .integers, put: \.job.after, copy: { $1.after = $0.after }, values: { $0.after.map { "\($0)" } }),
    JobSetting(
      "start-at", put: \.job.startAt, copy: { $1.startAt = $0.startAt },
      value: { $0.startAt.map { "@\($0)" } }),
    JobSetting(
      word: "on-conflict", put: \.job.onConflict, copy: { $1.options.onConflict = $0.options.onConflict },
      word: { $0.options.onConflict }, usual: .fail),
    JobSetting(
      word: "resume", put: \.job.resume, copy: { $1.options.resume = $0.options.resume }, word: { $0.options.resume },
      usual: .safe),
    JobSetting(
      "checksum", put: \.job.checksum,
      copy: { ($1.options.digest, $1.options.digestSource) = ($0.options.digest, $0.options.digestSource) },
      value: { $0.options.digest?.description }),
    JobSetting(
      direct: "size", .integer,
      { (job, values, place) throws(Failure) in
        guard let text = values.last else { return job.options.expectedSize = nil }
        guard let size = Int64(text), size >= 0 else {
          throw OptionValue.bad(place, "\(OptionValue.quote(text)) is not a number of bytes")
        }
        job.options.expectedSize = size
      }, values: { $0.options.expectedSize.map { ["\($0)"] } ?? [] }),
    JobSetting(
      "expect-type", put: \.job.expectType, copy: { $1.options.expectedType = $0.options.expectedType },
      value: { $0.options.expectedType?.description }),
    JobSetting(
      name: "allow-type", shape: .string,
      way: .option(
        put: { arguments, values, _ in arguments.job.allowType = values },
        copy: { $1.options.allowedTypes = $0.options.allowedTypes }),
      values: { job in
        job.options.allowedTypes.map { [$0.map(\.description).joined(separator: ",")] } ?? []
      }),
    JobSetting(
      word: "verify", put: \.job.verify, copy: { $1.options.verify = $0.options.verify },
      word: { $0.options.verify ?? .offered }, usual: .offered
    ).with("verify-key"),
    JobSetting(
      "verify-key", put: \.job.verifyKey, copy: { $1.options.verifyKey = $0.options.verifyKey },
      value: { $0.options.verifyKey }
    ).with("verify"),
    JobSetting(
      direct: "mirror", .strings,
      { (job, values, place) throws(Failure) in
        var own = LineOptions()
        for url in values { try own.addMirror(url, place) }
        let others = own.mirrors.filter { $0 != job.request.url }
        job.options.mirrors = others.isEmpty ? nil : others
      }, values: { $0.options.mirrors?.map(\.string) ?? [] }
    ).with { $0.isSecret = isSecretURL },
    JobSetting(
      "max-connections", .integer, put: \.job.connections.maxConnections,
      copy: { $1.options.maxConnections = $0.options.maxConnections },
      value: { $0.options.maxConnections.map { "\($0)" } }),
    JobSetting(
      name: "limit-rate", shape: .string,
      way: .option(
        put: { arguments, values, _ in arguments.job.limitRate = values.last },
        copy: { $1.options.rateLimit = $0.options.rateLimit }),
      values: { $0.options.rateLimit.map { ["\($0)"] } ?? [] }),
    JobSetting(
      "max-time", put: \.job.maxTime, copy: { $1.options.maxTime = $0.options.maxTime },
      value: { $0.options.maxTime.map(number) }),
    JobSetting(
      "max-filesize", put: \.job.maxFilesize, copy: { $1.options.maxSize = $0.options.maxSize },
      value: { $0.options.maxSize.map { "\($0)" } }),
    JobSetting(
      "retries", .integer, put: \.job.retries, copy: { $1.options.retries = $0.options.retries },
      value: { $0.options.retries == usual.options.retries ? nil : "\($0.options.retries)" }),
    JobSetting(
      "retry-wait", put: \.job.retryWait, copy: { $1.options.retryWait = $0.options.retryWait },
      value: { $0.options.retryWait == usual.options.retryWait ? nil : number($0.options.retryWait) }),
    JobSetting(
      "max-retry-wait", put: \.job.maxRetryWait, copy: { $1.options.maxRetryWait = $0.options.maxRetryWait },
      value: { $0.options.maxRetryWait == usual.options.maxRetryWait ? nil : number($0.options.maxRetryWait) }),
    JobSetting(
      flag: "no-mtime", put: \.job.noMtime, copy: { $1.options.keepsArrivalTime = $0.options.keepsArrivalTime },
      isSet: { $0.options.keepsArrivalTime ?? false }),
    hook("on-complete", \.job.hooks.onComplete, \.onComplete), hook("on-error", \.job.hooks.onError, \.onError),
  ]

  private static func hook(
    _ name: String, _ put: any WritableKeyPath<SettingArguments, String?> & Sendable,
    _ path: any WritableKeyPath<Hooks, [String]?> & Sendable
  ) -> JobSetting {
    JobSetting(
      name, put: put,
      copy: { from, to in
        var hooks = to.options.hooks ?? Hooks()
        hooks[keyPath: path] = from.options.hooks?[keyPath: path]
        to.options.hooks = hooks == Hooks() ? nil : hooks
      }, value: { $0.options.hooks?[keyPath: path].map(CommandWords.joined) }
    ).own
  }

  /// What only documents and dray itself say of a job: it is written by `dray export`.
  private static let exports: [JobSetting] = [
    JobSetting(
      direct: "checksum-source", .string,
      { job, values, _ in job.options.digestSource = values.last.map(DigestSource.init(rawValue:)) },
      values: { $0.options.digestSource.map { [$0.rawValue] } ?? [] }
    ).exported,
    JobSetting(
      direct: "pieces", .strings,
      { (job, values, place) throws(Failure) in
        guard !values.isEmpty else { return job.options.pieces = nil }
        guard values.count > 2, let algorithm = DigestAlgorithm(rawValue: values[0]), let length = Int64(values[1]),
          length > 0
        else { throw OptionValue.bad(place, "pieces are an algorithm, a length, and hashes") }
        job.options.pieces = PieceHashes(algorithm: algorithm, length: length, hashes: Array(values.dropFirst(2)))
      },
      values: { job in
        job.options.pieces.map { [$0.algorithm.rawValue, "\($0.length)"] + $0.hashes } ?? []
      }
    ).exported,
    JobSetting(
      direct: "part-stem", .string, { job, values, _ in job.options.partStem = values.last },
      values: { $0.options.partStem.map { [$0] } ?? [] }
    ).exported,
    JobSetting(
      direct: "cookies-taken", .strings,
      { job, values, _ in setCookies(&job, \.taken, values.isEmpty ? nil : values) },
      values: { $0.request.cookies?.taken ?? [] }
    ).secret.exported,
    JobSetting(
      direct: "aws-session-token", .string, { job, values, _ in job.request.signature?.sessionToken = values.last },
      values: { $0.request.signature?.sessionToken.map { [$0] } ?? [] }
    ).secret.exported,
    JobSetting(
      direct: "if-changed", .boolean,
      { (job, values, place) throws(Failure) in
        guard try values.last.map({ (text) throws(Failure) in try flag(text, place) }) ?? false else { return }
        job.request.cache = CachePolicy(ifChanged: TargetBaseline(), noCache: job.request.cache?.noCache ?? false)
      }, values: { $0.request.cache?.ifChanged == nil ? [] : ["yes"] }
    ).exported,
  ]

  /// What a job has that nothing was said of.
  static let usual = JobDefaults()

  /// A number without a fraction that says nothing.
  static func number(_ value: Double) -> String { Int64(exactly: value).map { "\($0)" } ?? "\(value)" }

  /// Whether a URL has something in it that is not shown.
  @Sendable static func isSecretURL(_ text: String) -> Bool { URLRedaction.redacted(text) != text }
}

/// The defaults of options.
struct JobDefaults: Sendable {
  let options = JobOptions()
  let connectTimeout = 30.0
  let stallTimeout = 30.0
}

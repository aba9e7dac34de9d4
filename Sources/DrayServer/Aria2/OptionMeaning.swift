// What aria2's options mean for a job of dray, in both directions: from values to a specification, and back.

internal import DrayCore
internal import DrayDocuments

/// Options that belong together, and what they mean.
struct OptionMeaning: Sendable {
  /// Values of options, each in the form of its option.
  typealias Values = [String: String]

  let names: [String]
  /// Those that may only have a value if the service permits that by name.
  var guarded: [String] = []
  /// What it must permit.
  var needs: Aria2Grants = []
  /// Makes a specification what the values say.
  let apply: @Sendable (Values, inout JobSpecification) throws(RPCFailure) -> Void
  /// What a specification comes to in these options. Secrets are left out (P7).
  let read: @Sendable (JobSpecification) -> Values

  private init(
    _ names: String...,
    apply: @escaping @Sendable (Values, inout JobSpecification) throws(RPCFailure) -> Void,
    read: @escaping @Sendable (JobSpecification) -> Values
  ) {
    (self.names, self.apply, self.read) = (names, apply, read)
  }

  private init(
    _ names: [String], guarded: [String], needs: Aria2Grants,
    _ apply: @escaping @Sendable (Values, inout JobSpecification) throws(RPCFailure) -> Void,
    read: @escaping @Sendable (JobSpecification) -> Values
  ) {
    (self.names, self.guarded, self.needs, self.apply, self.read) = (names, guarded, needs, apply, read)
  }

  /// Makes a specification what values say.
  /// - Parameters:
  ///   - changed: the options that count; the values of the others complete them.
  ///   - grants: what the service permits.
  /// - Throws: an error for what is not permitted, or cannot be.
  static func apply(
    _ changed: Set<String>, of values: Values, to specification: inout JobSpecification, _ grants: Aria2Grants
  ) throws(RPCFailure) {
    for meaning in all {
      guard let name = meaning.names.first(where: changed.contains) else { continue }
      let isEmpty = meaning.guarded.allSatisfy { values[$0, default: ""].isEmpty }
      guard isEmpty || meaning.needs.isSubset(of: grants) else {
        throw .refused("The option '--\(name)' is not permitted here: the service's configuration has to allow it.")
      }
      try meaning.apply(values, &specification)
    }
  }

  /// What a job comes to in the options that mean something: as a client has said it, if that is still what the job does.
  static func values(of specification: JobSpecification, said: Values = [:]) -> Values {
    all.reduce(into: [:]) { values, meaning in
      values.merge(meaning.read(specification)) { _, last in last }
      let words = said.filter { meaning.names.contains($0.key) }
      var same = specification
      guard !words.isEmpty, (try? meaning.apply(words, &same)) != nil, same == specification else { return }
      values.merge(words) { _, last in last }
    }
  }

  /// The names of all options that mean something for a job.
  static let names = Set(all.flatMap(\.names))

  private static let all: [OptionMeaning] = place + connections + request + access + retries
}

// MARK: Where it goes, and what it must be

extension OptionMeaning {
  fileprivate static let place: [OptionMeaning] = [
    OptionMeaning("dir", "out") { values, job throws(RPCFailure) in
      try OptionPlace(directory: values["dir"], output: values["out"], base: job.place.base).apply(to: &job)
    } read: { job in
      let below = job.place.foreign + [job.output].compactMap(\.self)
      return ["dir": job.place.base].merging(job.output == nil ? [:] : ["out": below.joined(separator: "/")]) { $1 }
    },
    OptionMeaning("allow-overwrite", "auto-file-renaming") { values, job throws(RPCFailure) in
      let renames = values["auto-file-renaming"] != "false"
      job.options.onConflict = values["allow-overwrite"] == "true" ? .overwrite : renames ? .rename : .fail
    } read: { job in
      let policy = job.options.onConflict
      return ["allow-overwrite": "\(policy == .overwrite)", "auto-file-renaming": "\(policy == .rename)"]
    },
    OptionMeaning("checksum") { values, job throws(RPCFailure) in
      job.options.digest = values["checksum"].flatMap { try? DigestValue.parse($0) }
      job.options.digestSource = nil
    } read: { job in
      job.options.digest.map { ["checksum": $0.description] } ?? [:]
    },
    OptionMeaning("remote-time") { values, job throws(RPCFailure) in
      job.options.keepsArrivalTime = values["remote-time"] == "false" ? true : nil
    } read: { job in
      ["remote-time": "\(!(job.options.keepsArrivalTime ?? false))"]
    },
  ]
}

// MARK: How fast, and how often

extension OptionMeaning {
  fileprivate static let connections: [OptionMeaning] = [
    OptionMeaning("split", "max-connection-per-server") { values, job throws(RPCFailure) in
      let limits = ["split", "max-connection-per-server"].compactMap { values[$0].flatMap { Int($0) } }
      job.options.maxConnections = limits.min().map { min($0, JobOptions.connectionRange.upperBound) }
    } read: { job in
      let count = "\(job.options.maxConnections ?? JobOptions.defaultConnections)"
      return ["split": count, "max-connection-per-server": count]
    },
    OptionMeaning("max-download-limit") { values, job throws(RPCFailure) in
      job.options.rateLimit = values["max-download-limit"].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
    } read: { job in
      ["max-download-limit": "\(job.options.rateLimit ?? 0)"]
    },
  ]

  fileprivate static let retries: [OptionMeaning] = [
    // aria2 counts attempts, and 0 is no limit.
    OptionMeaning("max-tries") { values, job throws(RPCFailure) in
      let tries = values["max-tries"].flatMap { Int($0) } ?? 0
      job.options.retries =
        tries == 0 ? JobOptions.retryRange.upperBound : min(tries - 1, JobOptions.retryRange.upperBound)
    } read: { job in
      ["max-tries": job.options.retries == JobOptions.retryRange.upperBound ? "0" : "\(job.options.retries + 1)"]
    },
    // 0 is not meant as "at once, again and again": then dray's own delay holds.
    OptionMeaning("retry-wait") { values, job throws(RPCFailure) in
      let wait = values["retry-wait"].flatMap { Double($0) } ?? 0
      job.options.retryWait = wait > 0 ? wait : JobOptions().retryWait
    } read: { job in
      ["retry-wait": "\(Int64(job.options.retryWait))"]
    },
    OptionMeaning("timeout") { values, job throws(RPCFailure) in
      if let seconds = values["timeout"].flatMap({ Double($0) }) { job.request.stallTimeout = seconds }
    } read: { job in
      ["timeout": "\(Int64(job.request.stallTimeout))"]
    },
    OptionMeaning("connect-timeout") { values, job throws(RPCFailure) in
      if let seconds = values["connect-timeout"].flatMap({ Double($0) }) { job.request.connectTimeout = seconds }
    } read: { job in
      ["connect-timeout": "\(Int64(job.request.connectTimeout))"]
    },
  ]
}

// MARK: What is asked for

extension OptionMeaning {
  fileprivate static let request: [OptionMeaning] = [
    OptionMeaning("header") { values, job throws(RPCFailure) in
      job.request.headers = try OptionHeader.fields(values["header"] ?? "")
    } read: { job in
      let lines = job.request.headers.map { "\($0.name): \($0.value)\n" }.filter { !OptionHeader.isSecret($0) }
      return lines.isEmpty ? [:] : ["header": lines.joined()]
    },
    OptionMeaning("referer") { values, job throws(RPCFailure) in
      job.request.referer = try OptionHeader.value(values["referer"], "referer")
    } read: { job in
      job.request.referer.map { ["referer": $0] } ?? [:]
    },
    OptionMeaning("user-agent") { values, job throws(RPCFailure) in
      job.request.userAgent = try OptionHeader.value(values["user-agent"], "user-agent")
    } read: { job in
      ["user-agent": job.request.userAgent ?? "dray/\(DrayVersion.text)"]
    },
    OptionMeaning("http-no-cache") { values, job throws(RPCFailure) in
      let noCache = values["http-no-cache"] == "true"
      job.request.cache =
        noCache || job.request.cache?.ifChanged != nil
        ? CachePolicy(ifChanged: job.request.cache?.ifChanged, noCache: noCache) : nil
    } read: { job in
      ["http-no-cache": "\(job.request.cache?.noCache ?? false)"]
    },
  ]

  fileprivate static let access: [OptionMeaning] = [
    user("http") { $0.hasPrefix("http") }, user("ftp") { !$0.hasPrefix("http") },
    proxy("http") { $0 == "http" }, proxy("https") { $0 == "https" }, proxy("ftp") { $0.hasPrefix("ftp") },
  ]

  /// User name and password for URLs of some schemes.
  private static func user(_ scheme: String, _ fits: @escaping @Sendable (String) -> Bool) -> OptionMeaning {
    let (user, password) = ("\(scheme)-user", "\(scheme)-passwd")
    return OptionMeaning(user, password) { values, job throws(RPCFailure) in
      guard fits(job.request.url.scheme), let name = values[user] else { return }
      job.request.takeUser(name, values[password])
    } read: { job in
      guard fits(job.request.url.scheme), let name = job.request.credentials?.user else { return [:] }
      return [user: name]
    }
  }

  /// The proxy for URLs of some schemes: their own, or that of all.
  private static func proxy(_ scheme: String, _ fits: @escaping @Sendable (String) -> Bool) -> OptionMeaning {
    let kinds = ["\(scheme)-proxy", "all-proxy"]
    return OptionMeaning(kinds + kinds.flatMap { ["\($0)-user", "\($0)-passwd"] }, guarded: kinds, needs: .proxy) {
      values, job throws(RPCFailure) in
      guard fits(job.request.url.scheme), let kind = kinds.first(where: { values[$0] != nil }), let proxy = values[kind]
      else { return }
      job.request.proxy = OptionProxy.address(proxy, user: values["\(kind)-user"], password: values["\(kind)-passwd"])
    } read: { job in
      guard fits(job.request.url.scheme), let proxy = job.request.proxy else { return [:] }
      return [kinds[0]: URLRedaction.redacted(proxy)]
    }
  }
}

// What aria2's options mean for a job, apart from its request.

internal import DrayCore

// MARK: Target and checks

extension OptionMeaning {
  static let place: [OptionMeaning] = [
    OptionMeaning("dir", "out") { values, job throws(RPCFailure) in
      try OptionPlace(directory: values["dir"], output: values["out"], base: job.place.base).apply(to: &job)
    } read: { job in
      let below = job.place.foreign + [job.output].compactMap(\.self)
      return ["dir": job.place.base].merging(job.output == nil ? [:] : ["out": below.joined(separator: "/")]) { $1 }
    },
    OptionMeaning("allow-overwrite", "auto-file-renaming") { values, job throws(RPCFailure) in
      job.options.onConflict = AriaMeaning.conflict(
        overwrites: values["allow-overwrite"] == "true", renames: values["auto-file-renaming"] != "false")
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

// MARK: Speed and retries

extension OptionMeaning {
  static let connections: [OptionMeaning] = [
    OptionMeaning("split", "max-connection-per-server") { values, job throws(RPCFailure) in
      let limits = ["split", "max-connection-per-server"].compactMap { values[$0].flatMap { Int($0) } }
      job.options.maxConnections = AriaMeaning.connections(limits)
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

  static let retries: [OptionMeaning] = [
    OptionMeaning("max-tries") { values, job throws(RPCFailure) in
      job.options.retries = AriaMeaning.retries(tries: values["max-tries"].flatMap { Int($0) } ?? 0)
    } read: { job in
      ["max-tries": "\(AriaMeaning.tries(retries: job.options.retries))"]
    },
    // In aria2, 0 does not mean retries without a pause, so dray's default pause applies.
    OptionMeaning("retry-wait") { values, job throws(RPCFailure) in
      let wait = values["retry-wait"].flatMap { Double($0) } ?? 0
      job.options.retryWait = wait > 0 ? wait : JobOptions().retryWait
    } read: { job in
      ["retry-wait": "\(Int64(saturating: job.options.retryWait))"]
    },
    seconds("timeout", \.request.stallTimeout), seconds("connect-timeout", \.request.connectTimeout),
  ]

  private static func seconds(
    _ name: String, _ path: any WritableKeyPath<JobSpecification, Double> & Sendable
  ) -> OptionMeaning {
    OptionMeaning(name) { values, job throws(RPCFailure) in
      if let seconds = values[name].flatMap({ Double($0) }) { job[keyPath: path] = seconds }
    } read: { job in
      [name: "\(Int64(saturating: job[keyPath: path]))"]
    }
  }
}

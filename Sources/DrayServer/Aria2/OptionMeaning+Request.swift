// What aria2's options mean for a job's request and its connections.

internal import DrayCore

// MARK: The request

extension OptionMeaning {
  static let request: [OptionMeaning] = [
    OptionMeaning("header") { values, job throws(RPCFailure) in
      job.request.headers = try OptionHeader.fields(values["header"] ?? "")
    } read: { job in
      let lines = job.request.headers.map { "\($0.name): \($0.value)\n" }.filter { !OptionHeader.isSecret($0) }
      return lines.isEmpty ? [:] : ["header": lines.joined()]
    },
    OptionMeaning("referer") { values, job throws(RPCFailure) in
      let referer = try OptionHeader.value(values["referer"], "referer")
      job.request.referer = referer?.isEmpty == false ? referer : nil
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

  static let access: [OptionMeaning] = [
    user("http"), user("ftp"), proxy("http"), proxy("https"), proxy("ftp"),
  ]

  /// Returns the meaning of the user name and the password for URLs of some schemes.
  private static func user(_ kind: String) -> OptionMeaning {
    let (user, password) = ("\(kind)-user", "\(kind)-passwd")
    let fits = { @Sendable (scheme: String) in AriaMeaning.account(for: scheme) == kind }
    return OptionMeaning(user, password) { values, job throws(RPCFailure) in
      guard fits(job.request.url.scheme), let name = values[user] else { return }
      // Two empty values mean that the user cleared the fields, and not a user with an empty name.
      guard !name.isEmpty || !values[password, default: ""].isEmpty else {
        (job.request.credentials, job.request.netrcUser) = (nil, nil)
        return
      }
      job.request.takeUser(name, values[password])
    } read: { job in
      guard fits(job.request.url.scheme), let name = job.request.credentials?.user else { return [:] }
      return [user: name]
    }
  }

  /// Returns the meaning of the proxy for URLs of a scheme: the proxy of that scheme, or the one for all schemes.
  private static func proxy(_ scheme: String) -> OptionMeaning {
    let kinds = AriaMeaning.proxies(for: scheme)
    let fits = { @Sendable (scheme: String) in scheme != "sftp" && AriaMeaning.proxies(for: scheme) == kinds }
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

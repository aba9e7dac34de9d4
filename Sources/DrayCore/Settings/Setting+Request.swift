// The rows about how a server is asked.

extension Setting {
  private static let family = Choice(reason: "together they allow no address: give at most one of them")
  private static let version = Choice(reason: "they contradict each other: give one of them")

  static let request: [Setting] = [
    Setting(
      reading: "header", .strings, copy: { from, to in to.request.headers = from.request.headers },
      values: { $0.request.headers.map(line) }
    ).with {
      $0.isSecret = isSecretField
      $0.readsFiles = true
    },
    Setting("user-agent", .fieldValue, optional: \.request.userAgent).forClients.host(.atEachHop),
    Setting("referer", .fieldValue, optional: \.request.referer).host(.atEachHop).with { $0.isSecret = isSecretURL },
    Setting(
      reading: "cookie", .strings,
      put: { (job: inout JobSpecification, texts: [String], context: SettingContext) throws(SettingProblem) in
        job.request.cookie = try texts.last.map { (text) throws(SettingProblem) in
          try SettingForm<String>.fieldValue.parse(text, context)
        }
      },
      copy: { from, to in
        to.request.cookie = from.request.cookie
        to.cookieOptions.files = from.cookieOptions.files
        if let taken = from.cookieOptions.taken { to.cookieOptions.taken = taken }
      }, values: { job in [job.request.cookie].compactMap(\.self) + (job.cookieOptions.files ?? []) }
    ).host(.atEachHop).with {
      $0.isSecret = { $0.contains("=") }
      $0.isOfOneServer = true
    },
    Setting(
      reading: "cookie-jar", copy: { from, to in to.cookieOptions.jar = from.cookieOptions.jar },
      values: { [$0.cookieOptions.jar].compactMap(\.self) }
    ).own,
    Setting(
      reading: "no-cookies", .boolean,
      copy: { from, to in to.cookieOptions.ignoresOwnJar = from.cookieOptions.ignoresOwnJar },
      values: { $0.cookieOptions.ignoresOwnJar ?? false ? ["yes"] : [] }),
    Setting("proxy", .proxy, optional: \.request.proxy).forClients.host(.atEachHop).with {
      $0.isSecret = { $0.contains("@") }
    },
    Setting(
      reading: "cacert",
      put: { (job: inout JobSpecification, texts: [String], _: SettingContext) throws(SettingProblem) in
        job.request.caFile = texts.last
      }, copy: { from, to in to.request.caFile = from.request.caFile },
      values: { [$0.request.caFile].compactMap(\.self) }
    ).forClients.host(.atEachHop).with { $0.isFile = true },
    Setting(flag: "insecure", true, at: \.request.isInsecure).forClients.host(.both),
    Setting(flag: "ipv4", .ipv4, at: \.request.addressFamily).forClients.one(of: family),
    Setting(flag: "ipv6", .ipv6, at: \.request.addressFamily).forClients.one(of: family),
    Setting(list: "resolve", .address, at: \.fixedAddresses).forClients,
    Setting("interface", .fieldValue, optional: \.request.interface).forClients,
    Setting(flag: "own-service", true, at: \.request.reachesOwnService),
    Setting(flag: "http1.1", .http11, at: \.request.httpVersion).forClients.one(of: version),
    Setting(flag: "http2", .http2, at: \.request.httpVersion).forClients.one(of: version),
    Setting(flag: "http3", .http3, at: \.request.httpVersion).forClients.one(of: version),
    Setting("connect-timeout", .seconds(mayBeZero: false), at: \.request.connectTimeout).forClients.host(.whenAdded),
    Setting("stall-timeout", .seconds(mayBeZero: false), at: \.request.stallTimeout).forClients.host(.whenAdded),
    Setting(flag: "no-cache", true, at: \.cachePolicy.noCache),
    Setting("max-redirs", .count(0...1000), optional: \.redirectOptions.limit).forClients.with {
      $0.usual = "\(RedirectPolicy.defaultLimit)"
    },
  ]

  /// A field as it is typed.
  @Sendable static func line(_ field: HeaderField) -> String {
    if field.isSentEmpty ?? false { return "\(field.name);" }
    return field.value.isEmpty ? "\(field.name):" : "\(field.name): \(field.value)"
  }

  /// Fields of a request whose value says nothing of the user.
  public static let harmlessFields: Set<String> = [
    "accept", "accept-language", "accept-charset", "cache-control", "pragma", "dnt", "origin", "user-agent",
    "x-requested-with", "if-none-match", "if-modified-since", "content-type",
  ]

  /// Whether a field that the user gave, as it was typed, has a value that may be a key.
  @Sendable public static func isSecretField(_ line: String) -> Bool {
    guard let colon = line.firstIndex(of: ":"), line[colon...].dropFirst().contains(where: { $0 != " " }) else {
      return false
    }
    return !harmlessFields.contains(line[..<colon].lowercased())
  }
}

// The table of settings: how a server is asked.

internal import DrayKit
internal import DrayWire

extension JobSetting {
  static let request: [JobSetting] = [
    JobSetting(
      list: "header", put: \.request.header, copy: { $1.request.headers = $0.request.headers },
      values: { $0.request.headers.map(line) }
    ).with {
      $0.isSecret = { SafeHead.isSecret(line: $0) }
      $0.readsFiles = true
    },
    JobSetting(
      "user-agent", put: \.request.userAgent, copy: { $1.request.userAgent = $0.request.userAgent },
      value: { $0.request.userAgent }),
    JobSetting(
      "referer", put: \.request.referer, copy: { $1.request.referer = $0.request.referer },
      value: { $0.request.referer }
    ).with { $0.isSecret = isSecretURL },
    JobSetting(
      list: "cookie", put: \.request.cookies.cookie,
      copy: { from, to in
        to.request.cookie = from.request.cookie
        setCookies(&to, \.files, from.request.cookies?.files)
        if let taken = from.request.cookies?.taken { setCookies(&to, \.taken, taken) }
      }, values: { ($0.request.cookie.map { [$0] } ?? []) + ($0.request.cookies?.files ?? []) }
    ).with { $0.isSecret = { $0.contains("=") } },
    JobSetting(
      "cookie-jar", put: \.request.cookies.cookieJar, copy: { setCookies(&$1, \.jar, $0.request.cookies?.jar) },
      value: { $0.request.cookies?.jar }
    ).own,
    JobSetting(
      flag: "no-cookies", put: \.request.cookies.noCookies,
      copy: { setCookies(&$1, \.ignoresOwnJar, $0.request.cookies?.ignoresOwnJar) },
      isSet: { $0.request.cookies?.ignoresOwnJar ?? false }),
    JobSetting(
      name: "proxy", shape: .string,
      way: .option(
        put: { arguments, values, _ in arguments.request.proxy = values.last == "off" ? "" : values.last },
        copy: { $1.request.proxy = $0.request.proxy }),
      values: { $0.request.proxy.map { [$0.isEmpty ? "off" : $0] } ?? [] }
    ).with { $0.isSecret = { $0.contains("@") } },
    JobSetting(
      "cacert", put: \.request.cacert, copy: { $1.request.caFile = $0.request.caFile }, value: { $0.request.caFile }),
    JobSetting(
      flag: "insecure", put: \.request.insecure, copy: { $1.request.isInsecure = $0.request.isInsecure },
      isSet: { $0.request.isInsecure }),
    JobSetting(
      flag: "ipv4", put: \.request.ipv4, copy: { $1.request.addressFamily = $0.request.addressFamily },
      isSet: { $0.request.addressFamily == .ipv4 }),
    JobSetting(
      flag: "ipv6", put: \.request.ipv6, copy: { $1.request.addressFamily = $0.request.addressFamily },
      isSet: { $0.request.addressFamily == .ipv6 }),
    JobSetting(
      list: "resolve", put: \.request.resolve, copy: { $1.request.addresses = $0.request.addresses },
      values: { job in
        (job.request.addresses ?? []).map { address in
          "\(address.host.isEmpty ? "*" : address.host):\(address.port.map { "\($0)" } ?? "*"):\(address.address)"
        }
      }),
    JobSetting(
      "interface", put: \.request.interface, copy: { $1.request.interface = $0.request.interface },
      value: { $0.request.interface }),
    JobSetting(
      flag: "own-service", put: \.request.ownService,
      copy: { $1.request.reachesOwnService = $0.request.reachesOwnService },
      isSet: { $0.request.reachesOwnService ?? false }),
    version("http1.1", \.request.http11, .http11), version("http2", \.request.http2, .http2),
    version("http3", \.request.http3, .http3),
    JobSetting(
      "connect-timeout", put: \.request.connectTimeout,
      copy: { $1.request.connectTimeout = $0.request.connectTimeout },
      value: { $0.request.connectTimeout == usual.connectTimeout ? nil : number($0.request.connectTimeout) }),
    JobSetting(
      "stall-timeout", put: \.request.stallTimeout, copy: { $1.request.stallTimeout = $0.request.stallTimeout },
      value: { $0.request.stallTimeout == usual.stallTimeout ? nil : number($0.request.stallTimeout) }),
    JobSetting(
      flag: "no-cache", put: \.request.noCache,
      copy: { from, to in
        let policy = CachePolicy(ifChanged: to.request.cache?.ifChanged, noCache: from.request.cache?.noCache ?? false)
        to.request.cache = policy == CachePolicy() ? nil : policy
      }, isSet: { $0.request.cache?.noCache ?? false }),
    JobSetting(
      direct: "max-redirs", .integer,
      { (job, values, place) throws(Failure) in
        var redirects = job.request.redirects ?? RedirectOptions()
        redirects.limit = try values.last.map { (text) throws(Failure) in try OptionValue.count(text, place, 0...1000) }
        job.request.redirects = redirects == RedirectOptions() ? nil : redirects
      }, values: { $0.request.redirects?.limit.map { ["\($0)"] } ?? [] }),
  ]

  private static func version(
    _ name: String, _ put: any WritableKeyPath<SettingArguments, Bool> & Sendable, _ version: HTTPVersion
  ) -> JobSetting {
    JobSetting(
      flag: name, put: put, copy: { $1.request.httpVersion = $0.request.httpVersion },
      isSet: { $0.request.httpVersion == version })
  }

  /// A field as it is typed.
  @Sendable static func line(_ field: HeaderField) -> String {
    if field.isSentEmpty ?? false { return "\(field.name);" }
    return field.value.isEmpty ? "\(field.name):" : "\(field.name): \(field.value)"
  }

  /// Sets one of the options for cookies.
  static func setCookies<Value>(
    _ job: inout JobSpecification, _ path: WritableKeyPath<CookieOptions, Value>, _ value: Value
  ) {
    var options = job.request.cookies ?? CookieOptions()
    options[keyPath: path] = value
    job.request.cookies = options == CookieOptions() ? nil : options
  }
}

// The settings of requests.

extension Setting {
  private static let family = Choice(reason: "together they allow no address: give at most one of them")
  private static let version = Choice(reason: "they contradict each other: give one of them")

  static let request: [Setting] = [
    Setting(
      reading: "header", .strings, copy: { from, to in to.request.headers = from.request.headers },
      values: { $0.request.headers.map(line) }
    ).help(
      "Send this header field.",
      """
      May be repeated. `Name:` removes a field that dray would send, `Name;` sends one without a value; @FILE \
      reads lines from a file.
      """, value: "name: value", short: "H"
    ).with {
      $0.isSecret = FieldRule.isSecret(line:)
      $0.readsFiles = true
    }.about(.http),
    Setting("user-agent", .fieldValue, optional: \.request.userAgent).help(
      "Send this User-Agent.", value: "name", short: "A"
    ).forClients.host(.atEachRedirect)
      .about(.http).known(curl: "-A --user-agent", typed: "-U", aria2: "user-agent"),
    Setting("referer", .fieldValue, optional: \.request.referer).help("Send this Referer.", value: "url", short: "e")
      .host(.atEachRedirect).with { $0.isSecret = isSecretURL }.about(.http),
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
    ).help(
      "Send these cookies, or those in a file.",
      """
      May be repeated. A value with = is sent to the URL's own server; any other is a file in Netscape's format, \
      whose cookies are sent to the hosts that they name.
      """, value: "name=value; …|file", short: "b"
    ).refusedToClients("they are in files of this machine", .files, "a file of cookies") {
      $0.request.cookies?.files != nil
    }.host(.atEachRedirect).with {
      $0.isSecret = { $0.contains("=") }
      $0.isOfOneServer = true
    }
    .about(.cookies).known(typed: "--load-cookies"),
    Setting(
      reading: "cookie-jar", copy: { from, to in to.cookieOptions.jar = from.cookieOptions.jar },
      values: { [$0.cookieOptions.jar].compactMap(\.self) }
    ).help(
      "Write cookies into this file at the end, in Netscape's format.",
      "Those of -b files and those received; cookies already in the file are kept. Only you can read it.",
      value: "file", offers: .files
    ).refusedToClients("they are in files of this machine", .files, "a file of cookies") {
      $0.request.cookies?.jar != nil
    }.own
      .about(.cookies).known(curl: "-c --cookie-jar", typed: "--save-cookies"),
    Setting(
      reading: "no-cookies", .boolean,
      copy: { from, to in to.cookieOptions.ignoresOwnJar = from.cookieOptions.ignoresOwnJar },
      values: { $0.cookieOptions.ignoresOwnJar ?? false ? ["yes"] : [] }
    ).help("Do not use dray's own jar: none of its cookies is sent, and none is added to it.").about(.cookies),
    Setting("proxy", .proxy, optional: \.request.proxy).help(
      "Use this proxy: http, https, socks4, socks4a, socks5 or socks5h.",
      "An empty value disables it, regardless of the environment.", value: "url"
    ).refusedToClients("a proxy sees what is fetched", .proxy, "a proxy") {
      !($0.request.proxy ?? "").isEmpty
    }.forClients.host(.atEachRedirect).with {
      $0.isSecret = { $0.contains("@") }
    }
    .about(.proxy).known(curl: "-x --proxy", typed: "--all-proxy --http-proxy --https-proxy --ftp-proxy"),
    Setting(
      reading: "cacert",
      put: { (job: inout JobSpecification, texts: [String], _: SettingContext) throws(SettingProblem) in
        job.request.caFile = texts.last
      }, copy: { from, to in to.request.caFile = from.request.caFile },
      values: { [$0.request.caFile].compactMap(\.self) }
    ).help(
      "Trust the certificates in this file instead of the system's.",
      "Also for s3 targets, unless AWS_CA_BUNDLE or ca_bundle of the profile names a file.", value: "file",
      offers: .files
    )
    .refusedToClients(
      "which certificates are trusted is said on this machine", .insecure, "a certificate of one's own choice"
    ) { $0.request.caFile != nil }.forClients
    .host(.atEachRedirect).with { $0.isFile = true }
    .about(.tls).known(curl: "--cacert", typed: "--ca-certificate"),
    Setting(flag: "insecure", true, at: \.request.isInsecure).help(
      "Do not check certificates. Anyone can impersonate the server.",
      "Also for s3 targets, unless AWS_CA_BUNDLE or ca_bundle of the profile names a file.", short: "k"
    ).refusedToClients("certificates are always checked", .insecure, "not to check certificates") {
      $0.request.isInsecure
    }.forClients.host(.both)
      .about(.tls).known(curl: "-k --insecure", typed: "--no-check-certificate"),
    Setting(flag: "ipv4", .ipv4, at: \.request.addressFamily).help("Use IPv4 only.", short: "4").forClients.one(
      of: family
    )
    .about(.network).known(curl: "-4 --ipv4", typed: "--inet4-only"),
    Setting(flag: "ipv6", .ipv6, at: \.request.addressFamily).help("Use IPv6 only.", short: "6").forClients.one(
      of: family
    )
    .about(.network).known(curl: "-6 --ipv6", typed: "--inet6-only"),
    Setting(list: "resolve", .address, at: \.fixedAddresses).help(
      "Connect to this address for a host and a port.", "May be repeated. `*` is any host or port.",
      value: "host:port:address"
    ).refusedToClients("another route to the server exposes the traffic", .proxy, "a fixed address of a host") {
      !($0.request.addresses ?? []).isEmpty
    }.forClients
      .about(.network).known(curl: "--resolve"),
    Setting("interface", .interfaces, optional: \.request.interface).help(
      "Send from this interface or address, or spread connections over several: eth0,wlan0.",
      """
      Each of several is measured as a line of its own, also for one file. If one goes away, its ranges go to the others; after a \
      pause it is tried again. At most \(TransferRequest.mostInterfaces).
      """, value: "interface"
    ).refusedToClients("another route to the server exposes the traffic", .proxy, "an interface") {
      $0.request.interface != nil
    }.forClients
      .about(.network).known(curl: "--interface", typed: "--bind-address", aria2: "interface"),
    Setting(flag: "own-service", true, at: \.request.reachesOwnService).help(
      "Allow requests to your own `dray serve`.", "Otherwise no URL, redirect or mirror may lead there."
    ).refusedToClients("another route to the server exposes the traffic", .proxy, "a door of this service") {
      $0.request.reachesOwnService ?? false
    }.about(.network),
    Setting(flag: "http1.1", .http11, at: \.request.httpVersion).help("Use HTTP/1.1.").forClients.one(of: version)
      .about(.http).known(curl: "--http1.1"),
    Setting(flag: "http2", .http2, at: \.request.httpVersion).help(
      "Use HTTP/2 where a server offers it over TLS. This is the default."
    ).forClients.one(of: version)
      .about(.http).known(curl: "--http2 --http2-prior-knowledge", typed: "--http2-prior-knowledge"),
    Setting(flag: "http3", .http3, at: \.request.httpVersion).help(
      "Use HTTP/3, with HTTP/2 and HTTP/1.1 as alternatives.",
      """
      Without it, HTTP/3 is used for servers that have offered it (Alt-Svc). It needs a libcurl that has it: \
      `dray --version` shows that.
      """
    ).forClients.one(of: version)
      .about(.http).known(curl: "--http3 --http3-only", typed: "--http3-only"),
    Setting("connect-timeout", .seconds(mayBeZero: false), at: \.request.connectTimeout).help(
      "Give up connecting after this time (default: {default}).", value: "time"
    ).forClients.host(.whenAdded)
      .about(.retries).known(
        curl: "--connect-timeout", zeroIsDefault: true, typed: "--timeout --dns-timeout", aria2: "connect-timeout"),
    Setting("stall-timeout", .seconds(mayBeZero: false), at: \.request.stallTimeout).help(
      "Give up if the rate is below \(TransferRequest.stallRate >> 10) KiB/s for this time (default: {default}).",
      value: "time"
    ).forClients.host(.whenAdded)
      .about(.retries).known(
        curl: "-y --speed-time", zeroIsDefault: true, typed: "--read-timeout --speed-time -y", aria2: "timeout"),
    Setting("pace", .pace, at: \.request.pace).help(
      "Start at most so many requests to one server in a time: 10/s, 30/m, 1/2s; off for no limit.",
      """
      Over all runners, and for everything that is requested there: files, their parts, listings, checksum lists, redirects. A \
      request waits for its turn. If it may start less than once a second, a file has one connection. A section for the host in the \
      configuration sets it once and for all.
      """, value: "n/time"
    ).forClients.host(.atEachRedirect).about(.speed),
    Setting("jitter", .seconds(), optional: \.request.jitter).help(
      "Add a random time, up to this, to the pause before each request.",
      "Without --pace it is the whole pause. For a job that many machines start at the same time, or a server that looks for clockwork.",
      value: "time"
    ).forClients.host(.atEachRedirect).about(.speed),
    Setting(flag: "no-cache", true, at: \.cachePolicy.noCache).help("Make caches revalidate with the server.")
      .about(.http),
    Setting("max-redirs", .count(0...1000), optional: \.redirectOptions.limit).usually(
      "\(RedirectPolicy.defaultLimit)"
    ).help(
      "Follow at most this many redirects (default: {default}); 0 means none.", value: "number"
    ).forClients.host(.whenAdded)
      .about(.http).known(typed: "--max-redirect"),
    Setting("proto", .schemes, optional: \.redirectOptions.schemes).help(
      "Allow these schemes only, in redirects too: =https, or =http,https.",
      "As in curl, + or nothing adds a scheme, - takes one away, = takes all others away.", value: "list"
    ).forClients
      .about(.http).known(curl: "--proto"),
  ]

  /// Returns the field as a user types it.
  @Sendable static func line(_ field: HeaderField) -> String {
    if field.isSentEmpty ?? false { return "\(field.name);" }
    return field.value.isEmpty ? "\(field.name):" : "\(field.name): \(field.value)"
  }
}

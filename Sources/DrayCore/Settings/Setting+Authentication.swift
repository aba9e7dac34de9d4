// The settings for authentication, trust, and particular schemes.

extension Setting {
  static let authentication: [Setting] = [
    Setting(
      reading: "user",
      copy: { from, to in
        (to.request.credentials, to.request.netrcUser) = (from.request.credentials, from.request.netrcUser)
        if from.request.credentials != nil || from.request.netrcUser != nil { to.authenticationOptions.bearer = nil }
      },
      values: { job in
        [job.request.credentials.map { "\($0.user):\($0.password)" } ?? job.request.netrcUser].compactMap(\.self)
      }
    ).help(
      "User name and password for the URL's server.", "Without a password, DRAY_PASSWORD is used, or dray asks for it.",
      value: "user[:password]", short: "u"
    ).with("netrc-file").with {
      $0.isSecret = { $0.contains(":") }
      $0.isOfOneServer = true
    }
    .about(.login).known(curl: "-u --user"),
    Setting(
      reading: "netrc-file", copy: { from, to in to.request.netrcFile = from.request.netrcFile },
      values: { [$0.request.netrcFile].compactMap(\.self) }
    ).help("Read user names and passwords from this file.", value: "file", offers: .files).refusedToClients(
      "it is a file of this machine", .files, "a .netrc"
    ) { $0.request.netrcFile != nil }.own
      .about(.login).known(curl: "--netrc-file", typed: "--netrc-path"),
    Setting(
      reading: "oauth2-bearer",
      copy: { from, to in
        let token = from.authenticationOptions.bearer
        to.authenticationOptions.bearer = token
        if token != nil { (to.request.credentials, to.request.netrcUser) = (nil, nil) }
      }, values: { [$0.authenticationOptions.bearer].compactMap(\.self) }
    ).help(
      "Send this bearer token.",
      "@FILE reads it from a file; without the option, DRAY_OAUTH2_BEARER is used. Neither is visible in `ps`.",
      value: "token"
    ).secret.with {
      $0.readsFiles = true
      $0.isOfOneServer = true
    }
    .about(.login).known(curl: "--oauth2-bearer"),
    scheme("basic", .basic, \.authenticationOptions.scheme).help("Use Basic authentication (the default).")
      .about(.login).known(curl: "--basic"),
    scheme("digest", .digest, \.authenticationOptions.scheme).help(
      "Use Digest authentication, which does not send the password."
    )
    .about(.login).known(curl: "--digest"),
    scheme("ntlm", .ntlm, \.authenticationOptions.scheme).help("Use NTLM authentication.")
      .about(.login).known(curl: "--ntlm"),
    scheme("negotiate", .negotiate, \.authenticationOptions.scheme).help(
      "Use Negotiate authentication: a Kerberos ticket."
    )
    .about(.login).known(curl: "--negotiate"),
    scheme("anyauth", .any, \.authenticationOptions.scheme).help(
      "Ask first, then use the strongest scheme that the server offers."
    )
    .about(.login).known(curl: "--anyauth"),
    Setting(
      reading: "cert",
      copy: { from, to in
        to.authenticationOptions.clientCertificate = from.authenticationOptions.clientCertificate
        if let password = from.authenticationOptions.clientKeyPassword {
          to.authenticationOptions.clientKeyPassword = password
        }
      }, values: { [$0.authenticationOptions.clientCertificate].compactMap(\.self) }
    ).help(
      "Use this client certificate: PEM, or PKCS#12 in a .p12 file.", "Its key may be in the same file.",
      value: "file[:password]", short: "E", offers: .files
    ).refusedToClients("certificates and keys are files of this machine", .files, "a client certificate") {
      $0.request.authentication?.clientCertificate != nil
    }.with("key", "pass").own
      .about(.tls).known(curl: "-E --cert", typed: "--certificate"),
    text("key", \.authenticationOptions.clientKey).help(
      "The key of the client certificate, PEM.", value: "file", offers: .files
    ).refusedToClients("certificates and keys are files of this machine", .files, "a client certificate") {
      $0.request.authentication?.clientKey != nil
    }.with("cert", "pass").own
      .about(.tls).known(curl: "--key", typed: "--private-key"),
    text("pass", \.authenticationOptions.clientKeyPassword).help(
      "The password of the key; @FILE reads it from a file.",
      "If one is needed and not given, DRAY_KEY_PASSWORD is used, or dray asks for it.", value: "password"
    ).refusedToClients("certificates and keys are files of this machine").with("cert", "key").secret.own.with {
      $0.readsFiles = true
      $0.isOfOneServer = true
    }
    .about(.tls).known(curl: "--pass"),
    text("pinnedpubkey", \.authenticationOptions.pinnedPublicKey).help(
      "Trust only a server that has this public key.",
      "sha256//BASE64, several separated by ;, or a file with the key in PEM or DER.", value: "hashes",
      also: "pinned-public-key", offers: .files
    ).refusedToClients("which certificates are trusted is said on this machine")
      .about(.tls).known(curl: "--pinnedpubkey"),
    text("capath", \.authenticationOptions.caPath).help(
      "Trust the certificates in this directory, prepared with c_rehash.", value: "dir", offers: .directories
    ).refusedToClients(
      "which certificates are trusted is said on this machine", .insecure, "a certificate of one's own choice"
    ) { $0.request.authentication?.caPath != nil }
    .about(.tls).known(curl: "--capath", typed: "--ca-directory"),
    Setting(
      reading: "proxy-user",
      copy: { from, to in to.authenticationOptions.proxyCredentials = from.authenticationOptions.proxyCredentials },
      values: { job in job.authenticationOptions.proxyCredentials.map { ["\($0.user):\($0.password)"] } ?? [] }
    ).help(
      "User name and password for the proxy.", "Without a password, DRAY_PROXY_PASSWORD is used, or dray asks for it.",
      value: "user[:password]"
    ).refusedToClients("a proxy sees what is fetched").secret
      .about(.proxy).known(curl: "-U --proxy-user"),
    scheme("proxy-basic", .basic, \.authenticationOptions.proxyScheme).help(
      "Use Basic authentication for the proxy (the default)."
    )
    .about(.proxy).known(curl: "--proxy-basic"),
    scheme("proxy-digest", .digest, \.authenticationOptions.proxyScheme).help(
      "Use Digest authentication for the proxy."
    )
    .about(.proxy).known(curl: "--proxy-digest"),
    scheme("proxy-ntlm", .ntlm, \.authenticationOptions.proxyScheme).help("Use NTLM authentication for the proxy.")
      .about(.proxy).known(curl: "--proxy-ntlm"),
    scheme("proxy-negotiate", .negotiate, \.authenticationOptions.proxyScheme).help(
      "Use Negotiate authentication for the proxy."
    )
    .about(.proxy).known(curl: "--proxy-negotiate"),
    scheme("proxy-anyauth", .any, \.authenticationOptions.proxyScheme).help(
      "Use the strongest scheme that the proxy offers."
    )
    .about(.proxy).known(curl: "--proxy-anyauth"),
  ]

  static let schemes: [Setting] = [
    Setting(flag: "ssl", .wanted, at: \.schemeOptions.tls).help("Use TLS for ftp URLs if the server supports it.")
      .about(.ftp).known(curl: "--ssl"),
    Setting(flag: "ssl-reqd", .required, at: \.schemeOptions.tls).help("Require TLS for ftp URLs.")
      .about(.ftp).known(curl: "--ssl-reqd"),
    Setting("hostpubsha256", .hostKey, optional: \.schemeOptions.hostKey).help(
      "For sftp, accept this host key, regardless of known_hosts.",
      "Its SHA-256 in base64, as `ssh-keygen -l` prints it.", value: "fingerprint"
    )
    .about(.ftp).known(curl: "--hostpubsha256"),
    s3("endpoint-url") { $0.endpoint?.string }.help(
      "Use this server for s3 URLs and s3 targets instead of Amazon's.", value: "url"
    ).refusedToClients("it would use keys of this machine").about(.s3),
    s3("aws-profile") { $0.profile }.help(
      "Use the keys and the region of this profile of the AWS files for s3 URLs and s3 targets.",
      "They are looked up at each attempt.", value: "name"
    ).refusedToClients("it would use keys of this machine").about(.s3),
    s3("aws-region") { $0.region }.help("The region of the bucket of s3 URLs and s3 targets.", value: "name").about(
      .s3),
    Setting(
      reading: "no-sign-request", .boolean, copy: copySignature,
      values: { job in
        job.request.credentials == nil && (job.request.signature.map { $0.profile == nil } ?? false) ? ["yes"] : []
      }
    ).help("Do not sign requests for s3 URLs (public objects).").with { $0.group = s3Group }.about(.s3),
  ]

  static let s3Group = ["endpoint-url", "aws-profile", "aws-region", "no-sign-request", "target-profile", "user"]

  private static func s3(_ name: String, _ value: @escaping @Sendable (AWSSignature) -> String?) -> Setting {
    Setting(
      reading: name, copy: copySignature,
      values: { job in
        [(job.request.signature ?? job.options.object?.sharedSignature).flatMap(value)].compactMap(\.self)
      }
    ).with { $0.group = s3Group }
  }

  /// Copies the signature and the keys. The session token is copied only if the keys are the same.
  @Sendable private static func copySignature(_ from: JobSpecification, _ to: inout JobSpecification) {
    let (token, keys) = (to.request.signature?.sessionToken, to.request.credentials)
    (to.request.signature, to.request.credentials) = (from.request.signature, from.request.credentials)
    if keys == from.request.credentials { to.request.signature?.sessionToken = token }
    copyAccess(from, &to)
  }

  /// A text that was already checked where it was typed.
  private static func text(
    _ name: String, _ path: any WritableKeyPath<JobSpecification, String?> & Sendable
  ) -> Setting {
    Setting(
      reading: name, copy: { from, to in to[keyPath: path] = from[keyPath: path] },
      values: { job in [job[keyPath: path]].compactMap(\.self) })
  }

  /// An authentication scheme, which this system's libcurl may lack.
  private static func scheme(
    _ name: String, _ scheme: AuthenticationOptions.Scheme,
    _ path: any WritableKeyPath<JobSpecification, AuthenticationOptions.Scheme?> & Sendable
  ) -> Setting {
    Setting(flag: name, scheme, at: path).with { $0.needsReading = true }
  }
}

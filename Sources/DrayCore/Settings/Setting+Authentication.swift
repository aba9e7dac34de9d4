// The rows about who asks, whom to trust, and what is special about schemes.

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
    ).with("netrc-file").with {
      $0.isSecret = { $0.contains(":") }
      $0.isOfOneServer = true
    },
    Setting(
      reading: "netrc-file", copy: { from, to in to.request.netrcFile = from.request.netrcFile },
      values: { [$0.request.netrcFile].compactMap(\.self) }
    ).own,
    Setting(
      reading: "oauth2-bearer",
      copy: { from, to in
        let token = from.authenticationOptions.bearer
        to.authenticationOptions.bearer = token
        if token != nil { (to.request.credentials, to.request.netrcUser) = (nil, nil) }
      }, values: { [$0.authenticationOptions.bearer].compactMap(\.self) }
    ).secret.with {
      $0.readsFiles = true
      $0.isOfOneServer = true
    },
    scheme("basic", .basic, \.authenticationOptions.scheme), scheme("digest", .digest, \.authenticationOptions.scheme),
    scheme("ntlm", .ntlm, \.authenticationOptions.scheme),
    scheme("negotiate", .negotiate, \.authenticationOptions.scheme),
    scheme("anyauth", .any, \.authenticationOptions.scheme),
    Setting(
      reading: "cert",
      copy: { from, to in
        to.authenticationOptions.clientCertificate = from.authenticationOptions.clientCertificate
        if let password = from.authenticationOptions.clientKeyPassword {
          to.authenticationOptions.clientKeyPassword = password
        }
      }, values: { [$0.authenticationOptions.clientCertificate].compactMap(\.self) }
    ).with("key", "pass").own,
    text("key", \.authenticationOptions.clientKey).with("cert", "pass").own,
    text("pass", \.authenticationOptions.clientKeyPassword).with("cert", "key").secret.own.with {
      $0.readsFiles = true
      $0.isOfOneServer = true
    },
    text("pinnedpubkey", \.authenticationOptions.pinnedPublicKey), text("capath", \.authenticationOptions.caPath),
    Setting(
      reading: "proxy-user",
      copy: { from, to in to.authenticationOptions.proxyCredentials = from.authenticationOptions.proxyCredentials },
      values: { job in job.authenticationOptions.proxyCredentials.map { ["\($0.user):\($0.password)"] } ?? [] }
    ).secret,
    scheme("proxy-basic", .basic, \.authenticationOptions.proxyScheme),
    scheme("proxy-digest", .digest, \.authenticationOptions.proxyScheme),
    scheme("proxy-ntlm", .ntlm, \.authenticationOptions.proxyScheme),
    scheme("proxy-negotiate", .negotiate, \.authenticationOptions.proxyScheme),
    scheme("proxy-anyauth", .any, \.authenticationOptions.proxyScheme),
  ]

  static let schemes: [Setting] = [
    Setting(flag: "ssl", .wanted, at: \.schemeOptions.tls), Setting(flag: "ssl-reqd", .required, at: \.schemeOptions.tls),
    Setting("hostpubsha256", .hostKey, optional: \.schemeOptions.hostKey),
    s3("endpoint-url") { $0.endpoint?.string }, s3("aws-profile") { $0.profile }, s3("aws-region") { $0.region },
    Setting(
      reading: "no-sign-request", .boolean, copy: copySignature,
      values: { job in
        job.request.credentials == nil && (job.request.signature.map { $0.profile == nil } ?? false) ? ["yes"] : []
      }
    ).with { $0.group = s3Group },
  ]

  private static let s3Group = ["endpoint-url", "aws-profile", "aws-region", "no-sign-request", "user"]

  private static func s3(_ name: String, _ value: @escaping @Sendable (AWSSignature) -> String?) -> Setting {
    Setting(
      reading: name, copy: copySignature, values: { job in [job.request.signature.flatMap(value)].compactMap(\.self) }
    ).with { $0.group = s3Group }
  }

  /// The token belongs to its keys.
  @Sendable private static func copySignature(_ from: JobSpecification, _ to: inout JobSpecification) {
    let (token, keys) = (to.request.signature?.sessionToken, to.request.credentials)
    (to.request.signature, to.request.credentials) = (from.request.signature, from.request.credentials)
    if keys == from.request.credentials { to.request.signature?.sessionToken = token }
  }

  /// A text that is checked where it is typed.
  private static func text(
    _ name: String, _ path: any WritableKeyPath<JobSpecification, String?> & Sendable
  ) -> Setting {
    Setting(
      reading: name, copy: { from, to in to[keyPath: path] = from[keyPath: path] },
      values: { job in [job[keyPath: path]].compactMap(\.self) })
  }

  /// A scheme, which this system's libcurl may lack.
  private static func scheme(
    _ name: String, _ scheme: AuthenticationOptions.Scheme,
    _ path: any WritableKeyPath<JobSpecification, AuthenticationOptions.Scheme?> & Sendable
  ) -> Setting {
    Setting(flag: name, scheme, at: path).with { $0.needsReading = true }
  }
}

// The table of settings: who asks, whom to trust, and what is special about schemes.

internal import DrayKit
internal import DrayWire

extension JobSetting {
  static let authentication: [JobSetting] = [
    JobSetting(
      "user", put: \.request.user,
      copy: { from, to in
        (to.request.credentials, to.request.netrcUser) = (from.request.credentials, from.request.netrcUser)
        if from.request.credentials != nil || from.request.netrcUser != nil { setAuthentication(&to, \.bearer, nil) }
      },
      value: { job in job.request.credentials.map { "\($0.user):\($0.password)" } ?? job.request.netrcUser }
    ).with("netrc-file").with { $0.isSecret = { $0.contains(":") } },
    JobSetting(
      "netrc-file", put: \.request.netrcFile, copy: { $1.request.netrcFile = $0.request.netrcFile },
      value: { $0.request.netrcFile }
    ).own,
    JobSetting(
      "oauth2-bearer", put: \.request.authentication.oauth2Bearer,
      copy: { from, to in
        let token = from.request.authentication?.bearer
        setAuthentication(&to, \.bearer, token)
        if token != nil { (to.request.credentials, to.request.netrcUser) = (nil, nil) }
      }, value: { $0.request.authentication?.bearer }
    ).secret.with { $0.readsFiles = true },
    scheme("basic", \.request.authentication.basic, \.scheme, .basic),
    scheme("digest", \.request.authentication.digest, \.scheme, .digest),
    scheme("ntlm", \.request.authentication.ntlm, \.scheme, .ntlm),
    scheme("negotiate", \.request.authentication.negotiate, \.scheme, .negotiate),
    scheme("anyauth", \.request.authentication.anyauth, \.scheme, .any),
    JobSetting(
      "cert", put: \.request.authentication.cert,
      copy: { from, to in
        setAuthentication(&to, \.clientCertificate, from.request.authentication?.clientCertificate)
        if let password = from.request.authentication?.clientKeyPassword {
          setAuthentication(&to, \.clientKeyPassword, password)
        }
      }, value: { $0.request.authentication?.clientCertificate }
    ).with("key", "pass").own,
    JobSetting(
      "key", put: \.request.authentication.key,
      copy: { setAuthentication(&$1, \.clientKey, $0.request.authentication?.clientKey) },
      value: { $0.request.authentication?.clientKey }
    ).with("cert", "pass").own,
    JobSetting(
      "pass", put: \.request.authentication.pass,
      copy: { setAuthentication(&$1, \.clientKeyPassword, $0.request.authentication?.clientKeyPassword) },
      value: { $0.request.authentication?.clientKeyPassword }
    ).with("cert", "key").secret.own.with { $0.readsFiles = true },
    JobSetting(
      "pinnedpubkey", put: \.request.authentication.pinnedPublicKey,
      copy: { setAuthentication(&$1, \.pinnedPublicKey, $0.request.authentication?.pinnedPublicKey) },
      value: { $0.request.authentication?.pinnedPublicKey }),
    JobSetting(
      "capath", put: \.request.authentication.capath,
      copy: { setAuthentication(&$1, \.caPath, $0.request.authentication?.caPath) },
      value: { $0.request.authentication?.caPath }),
    JobSetting(
      "proxy-user", put: \.request.authentication.proxyUser,
      copy: { setAuthentication(&$1, \.proxyCredentials, $0.request.authentication?.proxyCredentials) },
      value: { $0.request.authentication?.proxyCredentials.map { "\($0.user):\($0.password)" } }
    ).secret,
    scheme("proxy-basic", \.request.authentication.proxyBasic, \.proxyScheme, .basic),
    scheme("proxy-digest", \.request.authentication.proxyDigest, \.proxyScheme, .digest),
    scheme("proxy-ntlm", \.request.authentication.proxyNTLM, \.proxyScheme, .ntlm),
    scheme("proxy-negotiate", \.request.authentication.proxyNegotiate, \.proxyScheme, .negotiate),
    scheme("proxy-anyauth", \.request.authentication.proxyAnyauth, \.proxyScheme, .any),
  ]

  static let schemes: [JobSetting] = [
    JobSetting(
      flag: "ssl", put: \.request.schemes.ssl, copy: { setSchemes(&$1, \.tls, $0.request.schemes?.tls) },
      isSet: { $0.request.schemes?.tls == .wanted }),
    JobSetting(
      flag: "ssl-reqd", put: \.request.schemes.sslReqd, copy: { setSchemes(&$1, \.tls, $0.request.schemes?.tls) },
      isSet: { $0.request.schemes?.tls == .required }),
    JobSetting(
      "hostpubsha256", put: \.request.schemes.hostKey,
      copy: { setSchemes(&$1, \.hostKey, $0.request.schemes?.hostKey) },
      value: { $0.request.schemes?.hostKey }),
    s3("endpoint-url", \.request.schemes.endpointUrl) { $0.endpoint?.string },
    s3("aws-profile", \.request.schemes.awsProfile) { $0.profile },
    s3("aws-region", \.request.schemes.awsRegion) { $0.region },
    JobSetting(
      flag: "no-sign-request", put: \.request.schemes.noSignRequest, copy: copySignature,
      isSet: { $0.request.credentials == nil && $0.request.signature.map { $0.profile == nil } ?? false }
    ).with { $0.group = s3Group },
  ]

  private static let s3Group = ["endpoint-url", "aws-profile", "aws-region", "no-sign-request", "user"]

  private static func s3(
    _ name: String, _ put: any WritableKeyPath<SettingArguments, String?> & Sendable,
    _ value: @escaping @Sendable (AWSSignature) -> String?
  ) -> JobSetting {
    JobSetting(name, put: put, copy: copySignature, value: { $0.request.signature.flatMap(value) })
      .with { $0.group = s3Group }
  }

  /// The token belongs to its keys.
  @Sendable private static func copySignature(_ from: JobSpecification, _ to: inout JobSpecification) {
    let (token, keys) = (to.request.signature?.sessionToken, to.request.credentials)
    (to.request.signature, to.request.credentials) = (from.request.signature, from.request.credentials)
    if keys == from.request.credentials { to.request.signature?.sessionToken = token }
  }

  private static func scheme(
    _ name: String, _ put: any WritableKeyPath<SettingArguments, Bool> & Sendable,
    _ path: any WritableKeyPath<AuthenticationOptions, AuthenticationOptions.Scheme?> & Sendable,
    _ scheme: AuthenticationOptions.Scheme
  ) -> JobSetting {
    JobSetting(
      flag: name, put: put,
      copy: { setAuthentication(&$1, path, $0.request.authentication?[keyPath: path]) },
      isSet: { $0.request.authentication?[keyPath: path] == scheme })
  }

  private static func setAuthentication<Value>(
    _ job: inout JobSpecification, _ path: WritableKeyPath<AuthenticationOptions, Value?>, _ value: Value?
  ) {
    var options = job.request.authentication ?? AuthenticationOptions()
    options[keyPath: path] = value
    job.request.authentication = options == AuthenticationOptions() ? nil : options
  }

  private static func setSchemes<Value>(
    _ job: inout JobSpecification, _ path: WritableKeyPath<SchemeOptions, Value?>, _ value: Value?
  ) {
    var options = job.request.schemes ?? SchemeOptions()
    options[keyPath: path] = value
    job.request.schemes = options == SchemeOptions() ? nil : options
  }
}

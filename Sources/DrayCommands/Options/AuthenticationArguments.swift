// The options that say who asks, and whom to trust; `get`, `add` and `info` share them.

internal import ArgumentParser

struct AuthenticationArguments: ParsableArguments, Sendable {
  @Flag(help: "Use Basic authentication (the default).")
  var basic = false

  @Flag(help: "Use Digest authentication, which does not send the password.")
  var digest = false

  @Flag(help: "Use NTLM authentication.")
  var ntlm = false

  @Flag(help: "Use Negotiate authentication: a Kerberos ticket.")
  var negotiate = false

  @Flag(help: "Ask first, then use the strongest scheme that the server offers.")
  var anyauth = false

  @Flag(
    help: ArgumentHelp(
      "Read the password of --user from standard input.",
      discussion: "Only its first line is used; it is not visible in `ps`."))
  var passwordStdin = false

  @Option(
    name: [.customLong("oauth2-bearer")],
    help: ArgumentHelp(
      "Send this bearer token.",
      discussion:
        "@FILE reads it from a file; without the option, DRAY_OAUTH2_BEARER is used. Neither is visible in `ps`.",
      valueName: "token"))
  var oauth2Bearer: String?

  @Option(
    name: [.customShort("E"), .long],
    help: ArgumentHelp(
      "Use this client certificate: PEM, or PKCS#12 in a .p12 file.",
      discussion: "Its key may be in the same file.", valueName: "file[:password]"),
    completion: .file())
  var cert: String?

  @Option(help: ArgumentHelp("The key of the client certificate, PEM.", valueName: "file"), completion: .file())
  var key: String?

  @Option(
    help: ArgumentHelp(
      "The password of the key; @FILE reads it from a file.",
      discussion: "If one is needed and not given, DRAY_KEY_PASSWORD is used, or dray asks for it.",
      valueName: "password"))
  var pass: String?

  @Option(
    name: [.customLong("pinnedpubkey"), .customLong("pinned-public-key")],
    help: ArgumentHelp(
      "Trust only a server that has this public key.",
      discussion: "sha256//BASE64, several separated by ;, or a file with the key in PEM or DER.", valueName: "hashes"),
    completion: .file())
  var pinnedPublicKey: String?

  @Option(
    help: ArgumentHelp("Trust the certificates in this directory, prepared with c_rehash.", valueName: "dir"),
    completion: .directory)
  var capath: String?

  @Option(
    help: ArgumentHelp(
      "User name and password for the proxy.",
      discussion: "Without a password, DRAY_PROXY_PASSWORD is used, or dray asks for it.",
      valueName: "user[:password]"))
  var proxyUser: String?

  @Flag(help: "Use Basic authentication for the proxy (the default).")
  var proxyBasic = false

  @Flag(help: "Use Digest authentication for the proxy.")
  var proxyDigest = false

  @Flag(name: [.customLong("proxy-ntlm")], help: "Use NTLM authentication for the proxy.")
  var proxyNTLM = false

  @Flag(help: "Use Negotiate authentication for the proxy.")
  var proxyNegotiate = false

  @Flag(help: "Use the strongest scheme that the proxy offers.")
  var proxyAnyauth = false
}

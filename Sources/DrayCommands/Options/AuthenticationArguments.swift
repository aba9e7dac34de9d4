// The options that say who asks, and whom to trust; `get`, `add` and `info` share them.

internal import ArgumentParser

struct AuthenticationArguments: ParsableArguments, Sendable {
  @Flag(help: "Send user name and password as they are (unless told otherwise).")
  var basic = false

  @Flag(help: "Prove the password with Digest, without sending it.")
  var digest = false

  @Flag(help: "Authenticate with NTLM.")
  var ntlm = false

  @Flag(help: "Authenticate with Negotiate: a Kerberos ticket.")
  var negotiate = false

  @Flag(help: "Ask first, then use the safest scheme that the server offers.")
  var anyauth = false

  @Flag(
    help: ArgumentHelp(
      "Read the password of --user from standard input.", discussion: "Its first line; nothing of it shows in `ps`."))
  var passwordStdin = false

  @Option(
    name: [.customLong("oauth2-bearer")],
    help: ArgumentHelp(
      "Send this bearer token.",
      discussion: "@FILE reads it from a file; else DRAY_OAUTH2_BEARER has it. Both do not show in `ps`.",
      valueName: "token"))
  var oauth2Bearer: String?

  @Option(
    name: [.customShort("E"), .long],
    help: ArgumentHelp(
      "Show this client certificate: PEM, or PKCS#12 in a .p12 file.",
      discussion: "Its key may be in the same file.", valueName: "file[:password]"),
    completion: .file())
  var cert: String?

  @Option(help: ArgumentHelp("The key of the client certificate, PEM.", valueName: "file"), completion: .file())
  var key: String?

  @Option(
    help: ArgumentHelp(
      "The password of the key; @FILE reads it from a file.",
      discussion: "Where one is needed and none is given, DRAY_KEY_PASSWORD has it, or it is asked for.",
      valueName: "password"))
  var pass: String?

  @Option(
    name: [.customLong("pinnedpubkey"), .customLong("pinned-public-key")],
    help: ArgumentHelp(
      "Trust no server but one that has this public key.",
      discussion: "sha256//BASE64, several joined by ;, or a file with the key, PEM or DER.", valueName: "hashes"),
    completion: .file())
  var pinnedPublicKey: String?

  @Option(
    help: ArgumentHelp("Trust the certificates in this directory, prepared with c_rehash.", valueName: "dir"),
    completion: .directory)
  var capath: String?

  @Option(
    help: ArgumentHelp(
      "User name and password for the proxy.",
      discussion: "With the name alone, the password is taken from DRAY_PROXY_PASSWORD or asked for.",
      valueName: "user[:password]"))
  var proxyUser: String?

  @Flag(help: "Authenticate to the proxy with Basic (unless told otherwise).")
  var proxyBasic = false

  @Flag(help: "Authenticate to the proxy with Digest.")
  var proxyDigest = false

  @Flag(name: [.customLong("proxy-ntlm")], help: "Authenticate to the proxy with NTLM.")
  var proxyNTLM = false

  @Flag(help: "Authenticate to the proxy with Negotiate.")
  var proxyNegotiate = false

  @Flag(help: "Use the safest scheme that the proxy offers.")
  var proxyAnyauth = false
}

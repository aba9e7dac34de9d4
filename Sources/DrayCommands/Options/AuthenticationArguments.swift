// The options for authentication and trust, which `get`, `add` and `info` share.

internal import ArgumentParser

struct AuthenticationArguments: ParsableArguments, Sendable {
  @Flag(setting: "basic") var basic = false
  @Flag(setting: "digest") var digest = false
  @Flag(setting: "ntlm") var ntlm = false
  @Flag(setting: "negotiate") var negotiate = false
  @Flag(setting: "anyauth") var anyauth = false

  @Flag(
    help: ArgumentHelp(
      "Read the password of --user from standard input.",
      discussion: "Only its first line is used; it is not visible in `ps`."))
  var passwordStdin = false

  @Option(setting: "oauth2-bearer") var oauth2Bearer: String?
  @Option(setting: "cert") var cert: String?
  @Option(setting: "key") var key: String?
  @Option(setting: "pass") var pass: String?
  @Option(setting: "pinnedpubkey") var pinnedpubkey: String?
  @Option(setting: "capath") var capath: String?
  @Option(setting: "proxy-user") var proxyUser: String?
  @Flag(setting: "proxy-basic") var proxyBasic = false
  @Flag(setting: "proxy-digest") var proxyDigest = false
  @Flag(setting: "proxy-ntlm") var proxyNTLM = false
  @Flag(setting: "proxy-negotiate") var proxyNegotiate = false
  @Flag(setting: "proxy-anyauth") var proxyAnyauth = false
}

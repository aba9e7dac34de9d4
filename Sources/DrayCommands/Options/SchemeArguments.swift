// The options for schemes other than http and https, which `get`, `add` and `info` share.

internal import ArgumentParser

struct SchemeArguments: ParsableArguments, Sendable {
  @Flag(setting: "ssl") var ssl = false
  @Flag(setting: "ssl-reqd") var sslReqd = false
  @Option(setting: "hostpubsha256") var hostpubsha256: String?
  @Option(setting: "endpoint-url") var endpointUrl: String?
  @Option(setting: "aws-profile") var awsProfile: String?
  @Option(setting: "aws-region") var awsRegion: String?
  @Flag(setting: "no-sign-request") var noSignRequest = false
}

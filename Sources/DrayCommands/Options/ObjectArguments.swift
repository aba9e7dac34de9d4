// The options for targets in object stores, which the commands that fetch files share.

internal import ArgumentParser

struct ObjectArguments: ParsableArguments, Sendable {
  @Option(setting: "target-profile") var targetProfile: String?
  @Option(setting: "storage-class") var storageClass: String?
  @Option(setting: "sse") var sse: String?
  @Option(setting: "acl") var acl: String?
  @Option(setting: "meta") var meta: [String] = []
  @Option(setting: "tag") var tag: [String] = []
  @Option(setting: "upload-memory") var uploadMemory: String?
}

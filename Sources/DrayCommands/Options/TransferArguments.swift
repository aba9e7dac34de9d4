// The options for transfers, which `get`, `add`, `feed` and `sync` share.

internal import ArgumentParser

struct TransferArguments: ParsableArguments, Sendable {
  @Option(setting: "limit-rate") var limitRate: String?
  @Option(setting: "max-time") var maxTime: String?
  @Option(setting: "max-filesize") var maxFilesize: String?
  @Option(setting: "retries") var retries: String?
  @Option(setting: "retry-wait") var retryWait: String?
  @Option(setting: "max-retry-wait") var maxRetryWait: String?
  @Flag(setting: "retry-all-errors") var retryAllErrors = false
  @Option(setting: "retry-status") var retryStatus: [String] = []
}

/// The meaning of the aria2 options that dray expresses in a different way. RPC clients, command lines, lists and
/// configurations use these options. For aria2's other options, see ``ForeignNames``.
package enum AriaMeaning {
  /// Returns the number of retries for `max-tries`, which also counts the first attempt. A `max-tries` of 0 means no
  /// limit.
  package static func retries(tries: Int) -> Int {
    let most = JobOptions.retryRange.upperBound
    return tries == 0 ? most : max(0, min(tries - 1, most))
  }

  /// Returns the `max-tries` for a number of retries.
  package static func tries(retries: Int) -> Int { retries == JobOptions.retryRange.upperBound ? 0 : retries + 1 }

  /// Returns the number of connections for `split` and `max-connection-per-server`, which is the smaller of the two:
  /// aria2 limits connections to each server, while dray counts all connections to a file together.
  package static func connections(_ limits: [Int]) -> Int? {
    limits.min().map { min($0, JobOptions.connectionRange.upperBound) }
  }

  /// Returns the policy for `allow-overwrite` and `auto-file-renaming`; `allow-overwrite` takes precedence.
  package static func conflict(overwrites: Bool, renames: Bool) -> ConflictPolicy {
    overwrites ? .overwrite : renames ? .rename : .fail
  }

  /// Returns the names of the options that give the proxy for URLs of a scheme, the most specific name first. The
  /// options for the proxy's user name and password have the same names, followed by `-user` and `-passwd`.
  package static func proxies(for scheme: String) -> [String] {
    [scheme.hasPrefix("http") ? "\(scheme)-proxy" : "ftp-proxy", "all-proxy"]
  }

  /// Returns the beginning of the names of the options for user name and password, for URLs of a scheme.
  package static func account(for scheme: String) -> String { scheme.hasPrefix("http") ? "http" : "ftp" }
}

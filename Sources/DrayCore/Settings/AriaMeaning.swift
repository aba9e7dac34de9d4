/// The meaning of aria2's options that dray has in another form. Clients of the RPC, command lines, lists and
/// configurations use them. For aria2's other options, see ``ForeignNames``.
public enum AriaMeaning {
  /// Returns the retries for `max-tries`, which counts the first attempt, and where 0 means no limit.
  public static func retries(tries: Int) -> Int {
    let most = JobOptions.retryRange.upperBound
    return tries == 0 ? most : max(0, min(tries - 1, most))
  }

  /// Returns `max-tries` for a number of retries.
  public static func tries(retries: Int) -> Int { retries == JobOptions.retryRange.upperBound ? 0 : retries + 1 }

  /// Returns the number of connections for `split` and `max-connection-per-server`: the smaller number, because aria2
  /// may use several servers, but dray counts all connections together.
  public static func connections(_ limits: [Int]) -> Int? {
    limits.min().map { min($0, JobOptions.connectionRange.upperBound) }
  }

  /// Returns the policy for `allow-overwrite`, which takes precedence, and `auto-file-renaming`.
  public static func conflict(overwrites: Bool, renames: Bool) -> ConflictPolicy {
    overwrites ? .overwrite : renames ? .rename : .fail
  }

  /// Returns the options with the proxy for URLs of a scheme, the most specific option first. The proxy's user and
  /// password are options with the same name and `-user` or `-passwd`.
  public static func proxies(for scheme: String) -> [String] {
    [scheme.hasPrefix("http") ? "\(scheme)-proxy" : "ftp-proxy", "all-proxy"]
  }

  /// Returns the beginning of the names of the options with the user and the password for URLs of a scheme.
  public static func account(for scheme: String) -> String { scheme.hasPrefix("http") ? "http" : "ftp" }
}

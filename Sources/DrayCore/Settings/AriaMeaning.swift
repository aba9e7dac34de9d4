// What those options of aria2 mean that dray has in another form, wherever they are given: by clients of the RPC, on a command line,
// in a list or in a configuration.

/// The meaning of options of aria2 whose values are not those of a setting. ``ForeignNames`` has the names of the others.
public enum AriaMeaning {
  /// Returns the retries for `max-tries`, which counts the first attempt, and where 0 means no limit.
  public static func retries(tries: Int) -> Int {
    let most = JobOptions.retryRange.upperBound
    return tries == 0 ? most : max(0, min(tries - 1, most))
  }

  /// Returns `max-tries` for a number of retries.
  public static func tries(retries: Int) -> Int { retries == JobOptions.retryRange.upperBound ? 0 : retries + 1 }

  /// Returns the number of connections for `split` and `max-connection-per-server`: the smaller one. aria2 may use several
  /// servers, dray counts all together.
  public static func connections(_ limits: [Int]) -> Int? {
    limits.min().map { min($0, JobOptions.connectionRange.upperBound) }
  }

  /// Returns the policy for `allow-overwrite`, which takes precedence, and `auto-file-renaming`.
  public static func conflict(overwrites: Bool, renames: Bool) -> ConflictPolicy {
    overwrites ? .overwrite : renames ? .rename : .fail
  }

  /// Returns the names of the options that give the proxy for URLs of a scheme, the most specific one first. Each has a
  /// user and a password in options of its name with `-user` and `-passwd`.
  public static func proxies(for scheme: String) -> [String] {
    [scheme.hasPrefix("http") ? "\(scheme)-proxy" : "ftp-proxy", "all-proxy"]
  }

  /// Returns the start of the names of the options for the user and the password for URLs of a scheme.
  public static func account(for scheme: String) -> String { scheme.hasPrefix("http") ? "http" : "ftp" }
}

struct MirrorComparison {
  /// Whether the file's own server has served parts, so that comparisons are possible.
  var isServed = false
  /// Consecutive failures.
  var failures = 0
  var notBefore = 0.0
  /// Whether some of the bytes were given up during the comparison.
  var isStale = false

  /// Seconds between two comparisons. A crash loses the bytes since the last one.
  static let interval = 1.0
  /// Consecutive failed comparisons.
  static let patience = 3
}

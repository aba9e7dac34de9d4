/// The timing of comparisons of mirrors' bytes.
struct MirrorComparison {
  /// Whether the file's own server has served parts, so that comparisons are possible.
  var isServed = false
  /// The number of consecutive failed comparisons.
  var failures = 0
  /// The earliest time of the next comparison.
  var notBefore = 0.0
  /// Whether some of the bytes were given up during the comparison.
  var isStale = false

  /// The seconds between two comparisons. A crash loses the bytes since the last one.
  static let interval = 1.0
  /// The maximum number of consecutive failed comparisons.
  static let patience = 3
}

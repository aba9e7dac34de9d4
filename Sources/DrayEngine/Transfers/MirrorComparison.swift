struct MirrorComparison {
  /// Whether the file's own server has served a part of the file, so that comparisons are possible.
  var isServed = false
  /// The number of consecutive failed comparisons.
  var failures = 0
  var notBefore = 0.0
  /// Whether some of the bytes under comparison were given up.
  var isStale = false

  /// The seconds between two comparisons; a crash loses the bytes since the last one.
  static let interval = 1.0
  /// The number of consecutive failed comparisons after which mirrors that need a comparison are dropped.
  static let patience = 3
}

// Counts the bytes of a request's body that have arrived at the server. Over a slow line, the system still sends the
// end of a body long after accepting the last byte.

/// Bytes that the system has accepted but the server has not acknowledged are therefore subtracted.
struct ArrivalCounter {
  private var onTheirWay = 0

  /// Updates the count. `left` is the number of bytes that the server has not acknowledged yet; `nil` if unknown.
  /// - Returns: The number of bytes that have certainly arrived since the last call.
  mutating func arrived(leaving left: Int?) -> Int {
    guard let left else { return 0 }
    defer { onTheirWay = left }
    return max(0, onTheirWay - left)
  }
}

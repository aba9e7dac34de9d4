// Counts the bytes of a request's body that arrive. Over a slow line, the system still sends the end of a body long
// after it has taken the last byte.

/// Counts arrivals by the bytes that are on their way.
struct ArrivalCounter {
  private var onTheirWay = 0

  /// Takes the number of bytes that the peer has not acknowledged yet; `nil` if unknown.
  /// - Returns: The number of bytes that have certainly arrived since the last call.
  mutating func arrived(leaving left: Int?) -> Int {
    guard let left else { return 0 }
    defer { onTheirWay = left }
    return max(0, onTheirWay - left)
  }
}

/// Decides the modification time of a published file: the server's `Last-Modified`, if valid.
package enum ArrivalTime {
  /// Returns `Last-Modified` in seconds since 1970. Returns `nil` if the file keeps its time of arrival: the date is
  /// missing, unreadable, in the future, before 1970, or exactly 0, which stands for no date.
  package static func lastModified(_ head: ResponseHead, now: Int64) -> Int64? {
    guard let time = head.first("last-modified").flatMap({ HTTPDate.parse($0, now: now) }), time > 0, time <= now
    else { return nil }
    return time
  }

  /// Whether a file's time, in nanoseconds since 1970, is exactly the one from the answer. A file that was written
  /// since has a fraction of a second.
  package static func isTime(_ modified: Int64, of head: ResponseHead, now: Int64) -> Bool {
    lastModified(head, now: now).map { modified == $0.saturatingProduct(1_000_000_000) } ?? false
  }
}

// Which time a target gets: the server's Last-Modified, if that is valid.

/// The time of a published file.
public enum ArrivalTime {
  /// The `Last-Modified` of an answer in seconds since 1970; `nil` if the file keeps its time of arrival: no
  /// date, one that cannot be read, one before 1970 or of its first second, which means none, or one that is still to
  /// come.
  public static func lastModified(_ head: ResponseHead, now: Int64) -> Int64? {
    guard let time = head.first("last-modified").flatMap({ HTTPDate.parse($0, now: now) }), time > 0, time <= now
    else { return nil }
    return time
  }
}

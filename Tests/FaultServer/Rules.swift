// The correct answer to a range or a condition (RFC 9110 §13, §14). Pure.

/// The rules' answer to a GET or HEAD.
struct Ruling: Equatable {
  /// 200, 206, 304, 412 or 416.
  var status: Int

  /// The bytes of the content to send, for 206.
  var range: Range<Int64>?

  /// Decides on `request` for a resource of this `version`, including the faults of `answer`.
  init(
    _ request: FaultServer.SeenRequest, version: FaultServer.Version, answer: FaultServer.Answer = .normal
  ) {
    self.init(status: 200)
    if let tags = request["If-Match"], !Self.list(tags, has: version.etag, weakly: false) {
      status = 412
    } else if let tags = request["If-None-Match"] {
      if Self.list(tags, has: version.etag, weakly: true) { status = 304 }
    } else if let date = request["If-Modified-Since"], date == version.lastModified {
      status = 304
    }
    guard status == 200, !answer.ignoresRange, let range = request["Range"] else { return }
    if let condition = request["If-Range"], !answer.ignoresIfRange {
      if answer.refusesIfRange || !Self.agrees(condition, with: version) { return }
    }
    apply(range, size: version.content.size)
  }

  private init(status: Int) {
    self.status = status
  }

  /// Several ranges, other units and malformed ranges get the whole, as a server may do (§14.2).
  private mutating func apply(_ field: String, size: Int64) {
    guard field.hasPrefix("bytes="), !field.contains(",") else { return }
    let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return }
    switch (Int64(ends[0]), Int64(ends[1])) {
    case (nil, let last?) where ends[0].isEmpty:
      range = last > 0 && size > 0 ? max(0, size - last)..<size : nil
    case (let first?, nil) where ends[1].isEmpty:
      range = first < size ? first..<size : nil
    case (let first?, let last?) where first <= last:
      range = first < size ? first..<min(last, size - 1) + 1 : nil
    default:
      return
    }
    status = range == nil ? 416 : 206
  }

  /// Strong comparison for tags, equality for dates (§13.1.5).
  private static func agrees(_ condition: String, with version: FaultServer.Version) -> Bool {
    guard condition.hasPrefix("\"") else { return condition == version.lastModified }
    return condition == version.etag
  }

  private static func list(_ field: String, has etag: String?, weakly: Bool) -> Bool {
    guard let etag else { return false }
    return field.split(separator: ",").contains { entry in
      let entry = entry.drop { $0 == " " }
      if entry == "*" { return true }
      return weakly ? opaque(entry) == opaque(Substring(etag)) : entry == etag && !etag.hasPrefix("W/")
    }
  }

  private static func opaque(_ tag: Substring) -> Substring {
    tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
  }
}

// Presents the answer of a server that does not speak HTTP as an HTTP head. With such a head, the resume ladder, the
// checks and the records for HTTP serve for FTP, SFTP and local files as well.

/// Makes heads from facts.
package enum SourceHead {
  /// The time of a change identifies a version if the change is at least this many seconds old. Servers report whole
  /// seconds, and their time is compared with the local clock; a minute allows for a difference between the two clocks
  /// (as in RFC 7232).
  static let settled: Int64 = 60

  /// Returns the head of the answer to `asked`.
  /// - Parameters:
  ///   - scheme: The text that replaces the HTTP version, so that nobody takes the head for an HTTP answer.
  ///   - facts: What the server reported before the first byte.
  ///   - now: Seconds since 1970.
  package static func make(_ scheme: Scheme, asked: Ask, facts: SourceFacts, now: Int64) -> ResponseHead {
    var head = ResponseHead(version: scheme.name, status: 200)
    if let etag = facts.etag { head.fields.append(HeaderField("ETag", etag)) }
    if let modified = facts.modified {
      head.fields.append(HeaderField("Last-Modified", HTTPDate.format(modified)))
      if now.saturatingDifference(modified) >= settled { head.fields.append(HeaderField("Date", HTTPDate.format(now))) }
    }
    switch asked {
    case .whole, .changed:
      if let size = facts.size { head.fields.append(HeaderField("Content-Length", "\(size)")) }
    case .rest(_, _, let condition) where !holds(condition, head.validators):
      // At this point the request for the rest was already sent; the status 412 makes the resume ladder send another
      // one.
      head.status = 412
    case .rest(let from, _, _):
      answer(&head, from: from, size: facts.size)
    }
    return head
  }

  /// Returns the head of the answer to a probe of the file.
  /// - Parameter servesRest: Whether the server can continue from a position.
  package static func probed(_ scheme: Scheme, _ facts: SourceFacts, servesRest: Bool, now: Int64) -> ResponseHead {
    var head = make(scheme, asked: .whole, facts: facts, now: now)
    head.fields.append(HeaderField("Accept-Ranges", servesRest ? "bytes" : "none"))
    return head
  }

  private static func answer(_ head: inout ResponseHead, from: Int64, size: Int64?) {
    guard let size else {
      head.status = 206
      return head.fields.append(HeaderField("Content-Range", "bytes \(from)-\(Int64.max - 1)/*"))
    }
    guard from < size else {
      head.status = 416
      return head.fields.append(HeaderField("Content-Range", "bytes */\(size)"))
    }
    head.status = 206
    head.fields.append(HeaderField("Content-Range", "bytes \(from)-\(size - 1)/\(size)"))
    head.fields.append(HeaderField("Content-Length", "\(size - from)"))
  }

  private static func holds(_ condition: Ask.Condition, _ now: Validators) -> Bool {
    switch condition {
    case .ifRange(let validator), .ifMatch(let validator), .overlap(_, .some(let validator), _),
      .overlap(_, nil, .some(let validator)):
      validator.hasPrefix("\"") ? now.strongETag == validator : now.lastModified == validator
    case .overlap(_, nil, nil), .unconditional: true
    }
  }
}

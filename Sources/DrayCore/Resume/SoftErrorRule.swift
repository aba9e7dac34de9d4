// Recognises soft errors: explanations that servers send with status 200 in place of a file, for example when a session
// has expired.

/// Decides whether a 200 explains an error, while bytes of the file are on disk.
package struct SoftErrorRule: Sendable {
  /// The record of the bytes on disk.
  package var recorded: Checkpoint

  /// Creates the rule.
  package init(recorded: Checkpoint) { self.recorded = recorded }

  /// Whether the answer is an explanation, and not a new version of the file.
  ///
  /// A file that changed may become smaller, get another type or lose its validators. Only if all of that happens at
  /// once, the new type is one of explanations, and the bytes may be text, the answer counts as a soft error.
  /// - Parameter start: The first bytes of the body; all of them, if it is shorter than ``ContentCheck/pageLook``.
  package func isSoftError(_ head: ResponseHead, start: [UInt8]) -> Bool {
    mayBeSoftError(head) && (!head.contentCodings.isEmpty || SoftErrorRule.mayExplain(start))
  }

  /// Whether the answer may be an explanation, so that its first bytes must be seen. An explanation is often generated
  /// while it is sent, so an unknown length counts as small.
  package func mayBeSoftError(_ head: ResponseHead) -> Bool {
    let length = head.announcedLength
    guard head.status == 200, head.isHTTP, length ?? 0 < recorded.segments.count,
      let before = recorded.provenance?.mediaType, losesValidators(head.validators)
    else { return false }
    // An empty body needs no type.
    guard let type = head.mediaType else { return length == 0 }
    return type.explainsErrors && type.essence != before
  }

  /// Whether an explanation may begin with these bytes. Many programs send every file as HTML or plain text.
  private static func mayExplain(_ start: [UInt8]) -> Bool {
    let found = ContentKind.found(in: start)
    return (found == nil || found == .webPage) && ContentKind.isText(start)
  }

  /// Whether an answer has none of the validators that identified the file. A weak `ETag` cannot replace a strong
  /// validator, because many frameworks compute one for every answer.
  private func losesValidators(_ answer: Validators) -> Bool {
    guard answer.strongETag == nil, answer.lastModified == nil else { return false }
    return answer.etag == nil || !recorded.validators.isWeak
  }

  /// The words for such an answer, for messages.
  static func words(_ head: ResponseHead) -> String {
    let length = head.announcedLength
    guard length != 0 else { return "an empty answer" }
    if head.mediaType?.isHTML ?? false { return "a web page" }
    let type = TextSafety.escaped(head.mediaType?.essence ?? "")
    return length.map { "\(ByteCount.text($0)) of \(type)" } ?? type
  }
}

extension MediaType {
  /// Whether servers use this type to explain errors to people or programs: HTML, JSON, XML, plain text.
  var explainsErrors: Bool {
    if isHTML || ["text/plain", "application/json", "text/json", "application/xml", "text/xml"].contains(essence) {
      return true
    }
    // Problem details (RFC 9457), SOAP faults and the like, but no pictures (SVG).
    return essence.hasPrefix("application/") && (essence.hasSuffix("+json") || essence.hasSuffix("+xml"))
  }
}

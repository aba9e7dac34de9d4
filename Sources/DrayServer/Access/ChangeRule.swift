// Which requests may change something only with the secret in them (P19): every page can have a browser send them, and the browser
// does not say who asked.

/// A rule beside ``DoorRule`` and ``OriginRule``: it holds at every door, and no session counts as a token.
public enum ChangeRule {
  /// Whether a call of this request may change something only if the secret itself is shown with the call.
  ///
  /// A GET or a HEAD is an image, a link or a bookmark. To plain names and to some addresses browsers send them without `Origin` and
  /// without `Sec-Fetch-Site`. `Sec-Fetch-Site: none` is a link of a mail program or a bookmark. A WebSocket is none of these: browsers
  /// always send its `Origin`.
  public static func needsToken(_ head: WebRequest) -> Bool {
    let isWebSocket = head.method == "GET" && head.fields["Upgrade"] != nil
    if ["GET", "HEAD"].contains(head.method), !isWebSocket { return true }
    return head.fields["Origin"] == nil && head.fields["Sec-Fetch-Site"] == "none"
  }
}

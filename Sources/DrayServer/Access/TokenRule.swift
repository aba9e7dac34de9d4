// Decides which requests need the secret to change anything (P19). Any web page can make a browser send them, and the
// browser does not say which page did.

public import WebServer

/// A rule in addition to ``ListenerRule`` and ``OriginRule``. It applies at every listener, and a session does not count as a
/// token.
public enum TokenRule {
  /// Whether a call of this request must contain the secret itself to change anything.
  ///
  /// A GET or HEAD may come from an image, a link or a bookmark. Browsers send it to plain names and some addresses
  /// without `Origin` and `Sec-Fetch-Site`. `Sec-Fetch-Site: none` means a link in a mail program or a bookmark. A
  /// WebSocket is safe, because browsers always send its `Origin`.
  public static func needsToken(_ head: WebRequest) -> Bool {
    let isWebSocket = head.method == "GET" && head.fields["Upgrade"] != nil
    if ["GET", "HEAD"].contains(head.method), !isWebSocket { return true }
    return head.fields["Origin"] == nil && head.fields["Sec-Fetch-Site"] == "none"
  }
}

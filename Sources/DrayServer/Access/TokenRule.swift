// Decides which requests must contain the secret itself in order to change something (P19). These are requests that any
// web page can make a browser send, where the browser does not say which page did.

package import WebServer

/// This rule applies in addition to ``ListenerRule`` and ``OriginRule``. It applies at every listener, and a session
/// does not replace the secret.
package enum TokenRule {
  /// Whether the calls of this request must contain the secret itself in order to change something.
  ///
  /// An image, a link or a bookmark can cause a GET or HEAD. If such a request goes to a plain name or to some kinds of
  /// addresses, browsers send neither `Origin` nor `Sec-Fetch-Site`. `Sec-Fetch-Site: none` means that the user
  /// followed a link in a mail program or a bookmark. A WebSocket is safe, because browsers always send `Origin` when
  /// they open one.
  package static func needsToken(_ head: WebRequest) -> Bool {
    let isWebSocket = head.method == "GET" && head.fields["Upgrade"] != nil
    if ["GET", "HEAD"].contains(head.method), !isWebSocket { return true }
    return head.fields["Origin"] == nil && head.fields["Sec-Fetch-Site"] == "none"
  }
}

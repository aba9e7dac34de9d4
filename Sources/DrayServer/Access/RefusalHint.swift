// Finds the option of `dray serve` that would let a refused request pass, for the log.

internal import DrayCore
internal import WebServer

enum RefusalHint {
  /// The maximum length of the text from a client that is logged.
  private static let most = 200

  /// Returns the reason for a refusal, and the option that would change it; `nil` if no option would.
  static func text(of head: WebRequest, _ policy: AccessPolicy) -> String? {
    guard case .refused(let refusal) = policy.decision(on: head) else { return nil }
    switch refusal {
    case .host: return host(head)
    case .origin: return origin(head)
    default: return nil
    }
  }

  private static func host(_ head: WebRequest) -> String? {
    guard let name = head.fields["Host"].flatMap(HostRule.name) else { return nil }
    let shown = escaped(name)
    // No option permits a request that names an address.
    guard !name.hasPrefix("["), !name.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }) else {
      return "asked by the address \(shown)"
    }
    return "asked by the name \(shown); --host-name \(shown) allows it"
  }

  private static func origin(_ head: WebRequest) -> String {
    guard let text = head.fields["Origin"] else { return "a page of another site asks, and names no origin" }
    let shown = escaped(text)
    guard text != "null" else { return "a page from a file asks, or an isolated one; --allow-file-pages allows it" }
    guard WebOrigin(allowed: text) != nil else { return "a page of \(shown) asks" }
    return "a page of \(shown) asks; --allow-origin \(shown) allows it"
  }

  private static func escaped(_ text: String) -> String { TextSafety.escaped(text.start(most)) }
}

// The addresses that a server listens on, as people write them.

public import Posix

public enum ListenAddress: Sendable, Hashable {
  case tcp(InternetAddress)
  /// 127.0.0.1, and ::1 if there is IPv6, with the same port.
  case localhost(port: UInt16)
  /// All IPv4 and IPv6 addresses of the machine.
  case everywhere(port: UInt16)
  case path(String)

  /// Reads an address: `127.0.0.1:6800`, `[::1]:6800`, `localhost:6800`, `*:6800`, `6800` (of localhost), `unix:PATH`,
  /// or a path with a slash.
  /// - Throws: ``ListenError`` of the kind `address`. Names are not looked up.
  public init(_ text: String) throws(ListenError) {
    if text.hasPrefix("unix:") || text.contains("/") {
      self = .path(text.hasPrefix("unix:") ? String(text.dropFirst(5)) : text)
      return
    }
    let colon = text.lastIndex(of: ":")
    let host = colon.map { text[..<$0] } ?? "localhost"
    let digits = colon.map { text[text.index(after: $0)...] } ?? text[...]
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else {
      throw ListenError(text, "no port at its end", "write it as 127.0.0.1:6800, [::1]:6800 or a path")
    }
    switch host {
    case "localhost": self = .localhost(port: port)
    case "*": self = .everywhere(port: port)
    default:
      let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
      let literal = isBracketed ? host.dropFirst().dropLast() : host
      guard let address = InternetAddress(String(literal), port: port), address.isV6 == isBracketed else {
        throw ListenError(text, "not an address", "give an address such as 192.0.2.1 or [2001:db8::1], localhost or *")
      }
      self = .tcp(address)
    }
  }

  /// The TCP addresses. The first one must work; the others are skipped if the machine lacks their family.
  var internet: [InternetAddress] {
    switch self {
    case .tcp(let address): [address]
    case .localhost(let port): ["127.0.0.1", "::1"].compactMap { InternetAddress($0, port: port) }
    case .everywhere(let port): ["0.0.0.0", "::"].compactMap { InternetAddress($0, port: port) }
    case .path: []
    }
  }

  /// Says who can connect.
  public var listenerKind: ListenerKind {
    if case .path = self { return .socket }
    return internet.contains { ListenerKind($0) == .outside } ? .outside : .loopback
  }
}

extension ListenAddress: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tcp(let address): address.description
    case .localhost(let port): "localhost:\(port)"
    case .everywhere(let port): "*:\(port)"
    case .path(let path): path
    }
  }
}

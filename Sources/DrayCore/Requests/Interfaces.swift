// The local interfaces from which a request may be sent. If there are several, each connection is sent from one of them.

extension TransferRequest {
  /// The maximum number of interfaces.
  public static let mostInterfaces = 8

  /// The interfaces or addresses from which to send; empty for the system's choice.
  public var interfaces: [String] { interface.map(TransferRequest.interfaces(in:)) ?? [] }

  /// Returns the names in a list that is separated by commas.
  static func interfaces(in list: String) -> [String] {
    list.split(separator: ",", omittingEmptySubsequences: false).map { String($0.trimmingSpaces()) }
  }

  /// Returns why a list of interfaces cannot be used; `nil` if it can.
  static func objection(toInterfaces list: String) -> String? {
    let names = interfaces(in: list)
    guard names.count > 1 else { return nil }
    if names.contains("") { return "a name is missing between two commas" }
    if Set(names).count < names.count { return "an interface is named twice" }
    return names.count > mostInterfaces ? "it names more than \(mostInterfaces) interfaces" : nil
  }

  /// Returns why nothing can be sent, if this machine has none of the interfaces and addresses in a list; `nil` if it
  /// has one of them.
  /// - Parameters:
  ///   - existing: The names of this machine's interfaces that have an address.
  ///   - hasInterface: Returns whether this machine has an interface of this name.
  ///   - isOwn: Returns whether an address is one of this machine; `nil` for a text that is no address.
  public static func problem(
    withInterfaces names: [String], existing: [String], hasInterface: (String) -> Bool, isOwn: (String) -> Bool?
  ) -> String? {
    let places = names.map(LocalPlace.init)
    guard !places.isEmpty, !places.contains(where: { $0.exists(hasInterface: hasInterface, isOwn: isOwn) }) else {
      return nil
    }
    let bare = places.map { $0.missing(hasInterface: hasInterface) }
    let missing = bare.map(TextSafety.escaped).joined(separator: ", ")
    // The loopback is no way to another machine.
    let others = existing.filter { $0 != "lo" }
    let shown = others.isEmpty ? existing : others
    let has = shown.prefix(8).map(TextSafety.escaped).joined(separator: ", ") + (shown.count > 8 ? ", …" : "")
    return (bare.count == 1 ? "no interface or address \(missing)" : "none of the interfaces \(missing)")
      + " on this machine" + (shown.isEmpty ? "" : ", only \(has)")
  }

  /// Returns the request as it is sent from one interface; `nil` is the system's choice.
  package func sent(from interface: String?) -> TransferRequest {
    var request = self
    request.interface = interface
    return request
  }
}

/// An entry of a list of interfaces, as libcurl reads it: where connections begin.
package enum LocalPlace: Sendable, Equatable {
  /// `if!NAME`
  case interface(String)
  /// `host!ADDRESS`; the address may be a host name.
  case address(String)
  /// `ifhost!NAME!ADDRESS`
  case both(interface: String, address: String)
  /// The interface of this name, or else the address.
  case either(String)

  package init(_ text: String) {
    let parts = text.split(separator: "!", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let rest = parts.count == 2 ? parts[1] : ""
    switch parts[0] {
    case "if" where !rest.isEmpty: self = .interface(rest)
    case "host" where !rest.isEmpty: self = .address(rest)
    case "ifhost" where rest.contains("!"):
      let names = rest.split(separator: "!", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      self = .both(interface: names[0], address: names[1])
    default: self = .either(text)
    }
  }

  /// Whether this machine has it. A host name counts, because it may be resolved the next time.
  package func exists(hasInterface: (String) -> Bool, isOwn: (String) -> Bool?) -> Bool {
    switch self {
    case .interface(let name): hasInterface(name)
    case .address(let address): isOwn(address) ?? true
    case .both(let name, let address): hasInterface(name) && isOwn(address) ?? true
    case .either(let text): hasInterface(text) || isOwn(text) ?? LocalPlace.mayBeHost(text)
    }
  }

  /// Returns the name or the address that a machine lacks which does not have this place.
  func missing(hasInterface: (String) -> Bool) -> String {
    switch self {
    case .interface(let text), .address(let text), .either(let text): text
    case .both(let name, let address): hasInterface(name) ? address : name
    }
  }

  /// Whether a text that is neither an interface here nor an address without a zone may be a host name, or an address
  /// with a zone. The names of some interfaces end with a dot and a number.
  private static func mayBeHost(_ text: String) -> Bool {
    if text.contains(":") { return true }
    let labels = text.split(separator: ".")
    return labels.count > 1 && !(labels.last ?? "").allSatisfy(\.isNumber)
  }
}

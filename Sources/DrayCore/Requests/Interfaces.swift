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
  ///   - isOwn: Returns whether a text is an address of this machine, or any of its interfaces.
  public static func problem(
    withInterfaces names: [String], existing: [String], isOwn: (String) -> Bool
  ) -> String? {
    // libcurl takes `if!` for a name that is not a host's, and `host!` for the reverse.
    let bare = names.map { name in name.split(separator: "!", maxSplits: 1).last.map { String($0) } ?? name }
    guard !names.isEmpty, !bare.contains(where: { existing.contains($0) || isOwn($0) }) else { return nil }
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

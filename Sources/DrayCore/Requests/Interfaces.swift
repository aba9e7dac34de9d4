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

  /// Returns the request as it is sent from one interface; `nil` is the system's choice.
  public func sent(from interface: String?) -> TransferRequest {
    var request = self
    request.interface = interface
    return request
  }
}

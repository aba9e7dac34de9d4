// Knows the addresses of this user's own services, to which no server may direct a request (P19).

public import Posix
internal import Synchronization

public enum OwnServices {
  /// Returns the addresses of services, which it reads from small files.
  public typealias Source = @Sendable () -> [InternetAddress]

  /// The end of this rule's objections, by which they are recognized.
  static let words = "dray serve listens"
  /// The seconds after which the addresses are looked up again.
  private static let lifetime = 1.0

  private struct State {
    var sources: [String: Source] = [:]
    var found: [InternetAddress] = []
    var until = 0.0
    var own: [InternetAddress] = []
  }

  private static let state = Mutex(State())

  /// - Parameter home: The state directory from which the source reads; each directory is added only once.
  public static func add(_ home: String, _ source: @escaping Source) {
    state.withLock { state in
      if state.sources.updateValue(source, forKey: home) == nil { state.until = 0 }
    }
  }

  public static func open(_ services: [InternetAddress]) { state.withLock { $0.own += services } }

  /// Whether a connection to an address reaches one of the services.
  static func lead(to address: InternetAddress) -> Bool {
    let now = System.now
    let (known, sources) = state.withLock { state in
      (state.own + state.found, state.until > now ? [] : Array(state.sources.values))
    }
    var services = known
    if !sources.isEmpty {
      let found = sources.flatMap { $0() }
      state.withLock { ($0.found, $0.until) = (found, now + lifetime) }
      services += found
    }
    return services.contains { isBehind(address, service: $0, isLocal: System.isOwnAddress) }
  }

  /// - Parameter isLocal: Returns whether an address belongs to this machine; called only for a service that listens on
  ///   all addresses.
  static func isBehind(_ address: InternetAddress, service: InternetAddress, isLocal: (InternetAddress) -> Bool) -> Bool
  {
    guard address.port == service.port else { return false }
    let (plain, open) = (plain(address.bytes), plain(service.bytes))
    if plain == open { return true }
    // If a program connects to the unspecified address, the system uses its loopback address.
    if isAny(plain) { return isAny(open) || isLoopback(open) }
    return isAny(open) && (isLoopback(plain) || isLocal(address))
  }

  /// Returns the bytes of an IPv4 address that is mapped to IPv6; any other address unchanged.
  private static func plain(_ bytes: [UInt8]) -> [UInt8] {
    let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]
    return bytes.count == 16 && bytes.starts(with: mapped) ? Array(bytes.suffix(4)) : bytes
  }

  private static func isAny(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { $0 == 0 } }

  private static func isLoopback(_ bytes: [UInt8]) -> Bool {
    bytes.count == 4 ? bytes.first == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
  }
}

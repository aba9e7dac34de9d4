// This machine's network interfaces.

internal import Glibc

extension System {
  /// Returns the names of the interfaces from which something can be sent, because they have an address of IP, in the
  /// system's order; empty if they cannot be listed.
  public static func interfacesWithAddress() -> [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var names: [String] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      // An interface has an entry for each of its addresses, and others.
      guard let family = entry.ifa_addr?.pointee.sa_family, [AF_INET, AF_INET6].contains(Int32(family)),
        let text = entry.ifa_name
      else { continue }
      let name = String(cString: text)
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// Whether this machine has an interface of this name, with or without an address.
  public static func hasInterface(_ name: String) -> Bool { if_nametoindex(name) != 0 }
}

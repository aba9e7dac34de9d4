// The file in which a service publishes its addresses.

internal import DrayEngine
package import DrayStore
internal import FoundationEssentials
package import Posix

/// The addresses that a service publishes in its file. The file is valid while the service holds the lock on it. Like
/// the lease of a runner, the file contains no process number.
package enum ServiceFile {
  private struct Addresses: Decodable { var listening: [String] }

  /// The maximum number of bytes to read from the file.
  private static let longest = 64 << 10

  /// Returns the file's path.
  package static func path(in home: StateDirectory) -> String { PathText.join(home.path, "serve.lock") }

  /// Returns the content while a service holds the lock; otherwise `nil`. The content is empty while the service starts
  /// or ends.
  package static func read(in home: StateDirectory) -> [UInt8]? {
    guard let descriptor = try? System.openToRead(path(in: home)) else { return nil }
    defer { System.close(descriptor) }
    // If the lock cannot be tested, it counts as held.
    if (try? System.tryLock(descriptor, shared: true)) == true { return nil }
    return (try? System.readFile(descriptor, limit: longest)) ?? []
  }

  /// Returns the addresses of the service.
  package static func addresses(in home: StateDirectory) -> [InternetAddress] {
    guard let bytes = read(in: home), let addresses = try? JSONDecoder().decode(Addresses.self, from: Data(bytes))
    else {
      return []
    }
    return addresses.listening.compactMap(address)
  }

  /// Registers addresses at which this process listens, so that none of its jobs connects to them
  /// (`TransferRequest.reachesOwnService`).
  package static func listens(at addresses: [String]) { OwnServices.open(addresses.compactMap(address)) }

  /// Parses `127.0.0.1:6800` or `[::1]:6800`; `nil` for a path.
  private static func address(_ text: String) -> InternetAddress? {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
    let host = text[..<colon]
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    return InternetAddress(String(isBracketed ? host.dropFirst().dropLast() : host), port: port)
  }
}

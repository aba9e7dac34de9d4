// The file by which the service of a state directory says how it is reached. It holds as long as the service has it locked: as with a
// runner's lease there is no process number to guess about.

internal import DrayEngine
public import DrayStore
internal import FoundationEssentials
public import Posix

/// The file of a service.
public enum ServiceFile {
  /// What of it says where the service listens.
  private struct Doors: Decodable { var listening: [String] }

  /// Bytes that it has at most.
  private static let longest = 64 << 10

  /// The file's path.
  public static func path(in home: StateDirectory) -> String { Job.join(home.path, "serve.lock") }

  /// What the file says, while a service has it locked; nil where none has. It is empty while that starts or ends.
  public static func read(in home: StateDirectory) -> [UInt8]? {
    guard let descriptor = try? System.openToRead(path(in: home)) else { return nil }
    defer { System.close(descriptor) }
    // A lock that cannot be asked for is taken for held.
    if (try? System.tryLock(descriptor, shared: true)) == true { return nil }
    return (try? System.readFile(descriptor, limit: longest)) ?? []
  }

  /// The addresses that its service listens at.
  public static func doors(in home: StateDirectory) -> [InternetAddress] {
    guard let bytes = read(in: home), let doors = try? JSONDecoder().decode(Doors.self, from: Data(bytes)) else {
      return []
    }
    return doors.listening.compactMap(address)
  }

  /// Says where this process itself listens: none of its jobs goes there (``TransferRequest/reachesOwnService``).
  public static func listens(at doors: [String]) { OwnDoors.open(doors.compactMap(address)) }

  /// Reads an address with its port: `127.0.0.1:6800`, `[::1]:6800`; nil for a path.
  private static func address(_ text: String) -> InternetAddress? {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
    let host = text[..<colon]
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    return InternetAddress(String(isBracketed ? host.dropFirst().dropLast() : host), port: port)
  }
}

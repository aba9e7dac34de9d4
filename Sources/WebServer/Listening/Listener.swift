// Listening sockets.

internal import Posix

/// The owner must call ``close()``, or pass the listener to a server, which does.
public struct Listener: Sendable {
  public let listenerKind: ListenerKind
  /// The address with its actual port, or the path.
  public let name: String
  /// `nil` for a path.
  public let port: UInt16?
  let descriptor: Int32
  /// `nil` unless this process created it.
  private let file: SocketFile?

  private static let backlog: Int32 = 128

  /// Opens all sockets of an address.
  /// - Throws: ``ListenError`` if the port or path is in use, or if the machine does not have the address.
  public static func open(_ address: ListenAddress) throws(ListenError) -> [Listener] {
    if case .path(let path) = address { return [try open(path: path)] }
    var opened: [Listener] = []
    for var internet in address.internet {
      // All use the port that was chosen for the first.
      if let port = opened.first?.port { internet.port = port }
      do throws(SystemError) {
        let descriptor = try System.listener(at: internet, backlog: backlog)
        opened.append(Listener(descriptor, System.boundAddress(descriptor) ?? internet))
      } catch {
        if !opened.isEmpty, error.isMissingFamily { continue }
        for listener in opened { listener.close() }
        throw ListenError(address.description, error.text, error.listeningAdvice, kind: .network)
      }
    }
    return opened
  }

  /// Creates a listener from an inherited socket (``SocketActivation``).
  /// - Returns: `nil` if it does not listen.
  static func inherited(_ descriptor: Int32) -> Listener? {
    guard System.isListening(descriptor) else { return nil }
    System.adopt(descriptor)
    if let address = System.boundAddress(descriptor) { return Listener(descriptor, address) }
    let path = System.boundPath(descriptor)
    // The file's mode says who can connect: SocketMode of a socket unit is 0666 by default.
    let mode = path.flatMap { path in try? System.ownership(of: path).mode }
    let isPrivate = mode.map { $0 & 0o077 == 0 } ?? false
    return Listener(
      descriptor, listenerKind: isPrivate ? .socket : .loopback, name: path ?? "an inherited socket", port: nil,
      file: nil)
  }

  private static func open(path: String) throws(ListenError) -> Listener {
    let file = try SocketFile.reserve(path)
    do throws(SystemError) {
      let descriptor = try System.listener(atPath: path, backlog: backlog)
      return Listener(descriptor, listenerKind: .socket, name: path, port: nil, file: file.made())
    } catch {
      throw ListenError(path, error.text, kind: .file)
    }
  }

  private init(_ descriptor: Int32, _ address: InternetAddress) {
    self.init(descriptor, listenerKind: ListenerKind(address), name: address.description, port: address.port, file: nil)
  }

  private init(_ descriptor: Int32, listenerKind: ListenerKind, name: String, port: UInt16?, file: SocketFile?) {
    (self.descriptor, self.listenerKind, self.name, self.port, self.file) = (descriptor, listenerKind, name, port, file)
  }

  /// Closes the socket, and removes its file unless another file has replaced it.
  public func close() {
    removeFile()
    System.close(descriptor)
  }

  /// Removes the socket's file. The server closes the socket itself.
  func removeFile() { file?.remove() }
}

extension SystemError {
  /// Whether the machine lacks IPv6, or this IPv6 address.
  fileprivate var isMissingFamily: Bool { code == Self.noFamily || code == Self.noAddress }

  fileprivate var listeningAdvice: String? {
    switch code {
    case Self.addressInUse: "another program listens there; end it, or choose another port"
    case Self.noAddress: "this machine does not have that address"
    case Self.noAccess: "ports below 1024 are for root; choose another one"
    default: nil
    }
  }
}

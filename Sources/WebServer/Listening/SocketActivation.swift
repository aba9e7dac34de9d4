// Sockets that systemd opened for the service (sd_listen_fds(3)).

/// The sockets that systemd passes (sd_listen_fds(3)).
public struct SocketActivation: Sendable, Equatable {
  /// The first descriptor, `SD_LISTEN_FDS_START`.
  static let first: Int32 = 3

  public let descriptors: [Int32]

  /// Reads the environment.
  /// - Parameters:
  ///   - environment: The environment variables. Remove ``variables``, so that children do not inherit them.
  ///   - process: The id of this process. The sockets may be for another process.
  /// - Returns: `nil` if there are no sockets for this process.
  public init?(environment: [String: String], process: Int32) {
    guard let listener = environment["LISTEN_PID"].flatMap({ Int32($0) }), listener == process,
      let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), (1...64).contains(count)
    else { return nil }
    descriptors = (0..<count).map { Self.first + $0 }
  }

  public static let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]

  /// Skips other descriptors.
  public func listeners() -> [Listener] { descriptors.compactMap { Listener.inherited($0) } }
}

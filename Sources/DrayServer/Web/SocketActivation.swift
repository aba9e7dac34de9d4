// Sockets that systemd has opened for the service (sd_listen_fds(3)).

/// What `LISTEN_FDS` says.
public struct SocketActivation: Sendable, Equatable {
  /// The first descriptor that is handed over, `SD_LISTEN_FDS_START`.
  static let first: Int32 = 3

  /// The descriptors.
  public let descriptors: [Int32]

  /// Reads the environment.
  /// - Parameters:
  ///   - environment: variables of the process. Children must not get them: ``variables`` are to be removed.
  ///   - process: the process that asks; the sockets may be for another.
  /// - Returns: nil if nothing was handed over.
  public init?(environment: [String: String], process: Int32) {
    guard let listener = environment["LISTEN_PID"].flatMap({ Int32($0) }), listener == process,
      let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), (1...64).contains(count)
    else { return nil }
    descriptors = (0..<count).map { Self.first + $0 }
  }

  /// The variables that say it.
  public static let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]

  /// The sockets that listen. What else was handed over is left alone.
  public func listeners() -> [Listener] { descriptors.compactMap { Listener.inherited($0) } }
}

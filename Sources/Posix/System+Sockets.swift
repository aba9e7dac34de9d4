// What the system knows of a connection.

#if os(Linux)
  internal import CLinux
#endif

extension System {
  /// The packets that a TCP socket received out of order (tcp(7), `TCP_INFO`); `nil` where that is not known.
  public static func packetsOutOfOrder(_ socket: Int32) -> Int? {
    #if os(Linux)
      let count = dray_out_of_order(socket)
      return count < 0 ? nil : count
    #else
      return nil
    #endif
  }
}

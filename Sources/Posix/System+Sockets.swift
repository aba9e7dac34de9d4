// The system's information on a connection.

#if os(Linux)
  internal import CLinux
#endif

extension System {
  /// Returns the number of packets that a TCP socket received out of order (tcp(7), `TCP_INFO`); `nil` if unknown.
  public static func packetsOutOfOrder(_ socket: Int32) -> Int? {
    #if os(Linux)
      let count = dray_out_of_order(socket)
      return count < 0 ? nil : count
    #else
      return nil
    #endif
  }
}

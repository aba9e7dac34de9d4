// The system's information on a connection.

internal import CLinux
internal import Glibc

extension System {
  /// Returns the number of packets that a TCP socket received out of order (tcp(7), `TCP_INFO`); `nil` if unknown.
  public static func packetsOutOfOrder(_ socket: Int32) -> Int? {
    #if DRAY_PORTABLE
    return nil
    #else
    let count = dray_tcp_info(socket, socklen_t(dray_out_of_order))
    return count < 0 ? nil : count
    #endif
  }

  /// Returns the number of bytes that the system has received over a TCP socket and that were not read (tcp(7),
  /// `SIOCINQ`); `nil` if unknown.
  public static func unreadBytes(_ socket: Int32) -> Int? {
    #if DRAY_PORTABLE
    return nil
    #else
    var count: Int32 = 0
    return ioctl(socket, UInt(FIONREAD), &count) == 0 ? Int(count) : nil
    #endif
  }

  /// Returns the seconds since a TCP socket received data, and since it received an acknowledgement; `nil` if unknown.
  public static func silence(of socket: Int32) -> (data: Double, acknowledgement: Double)? {
    #if DRAY_PORTABLE
    return nil
    #else
    let data = dray_tcp_info(socket, socklen_t(dray_last_data))
    let acknowledgement = dray_tcp_info(socket, socklen_t(dray_last_ack))
    return data < 0 || acknowledgement < 0 ? nil : (Double(data) / 1000, Double(acknowledgement) / 1000)
    #endif
  }
}

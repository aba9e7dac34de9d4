// Messages to systemd.

import Glibc
import Posix
import Testing

@testable import DrayServer

@Suite("the service manager")
struct ServiceManagerTests {
  @Test(
    "systemd's socket, and the interval of its watchdog",
    arguments: [
      ([:], nil, nil), (["NOTIFY_SOCKET": ""], nil, nil), (["NOTIFY_SOCKET": "x"], nil, nil),
      (["NOTIFY_SOCKET": "@"], nil, nil),
      (["NOTIFY_SOCKET": "/run/n"], "/run/n", nil), (["NOTIFY_SOCKET": "@n", "WATCHDOG_USEC": "30000000"], "@n", 15),
      (["NOTIFY_SOCKET": "@n", "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"], "@n", 15),
      (["NOTIFY_SOCKET": "@n", "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"], "@n", nil),
      (["NOTIFY_SOCKET": "@n", "WATCHDOG_USEC": "0"], "@n", nil),
      (["NOTIFY_SOCKET": "@n", "WATCHDOG_USEC": "x"], "@n", nil),
    ] as [([String: String], String?, Double?)])
  func environment(_ environment: [String: String], _ socket: String?, _ interval: Double?) {
    let manager = ServiceManager(environment: environment, process: 7)
    #expect(manager?.socket == socket && manager?.watchdogInterval == interval)
  }

  @Test(
    "messages are lines of a datagram",
    arguments: [
      (ServiceManager.Message.ready, "READY=1"), (.stopping, "STOPPING=1"), (.watchdog, "WATCHDOG=1"),
      (.status("3 jobs\nREADY=1"), "STATUS=3 jobs READY=1"), (.extend(seconds: 5), "EXTEND_TIMEOUT_USEC=5000000"),
    ])
  func lines(_ message: ServiceManager.Message, _ line: String) {
    #expect(message.line == line)
  }

  @Test("messages arrive at a path and at an abstract name; a missing receiver does no harm", arguments: [false, true])
  func arrives(_ isAbstract: Bool) throws {
    var name = Array("/tmp/dray-notify-XXXXXX".utf8CString)
    let directory = String(cString: try #require(mkdtemp(&name)))
    let path = isAbstract ? "@" + directory.dropFirst() : directory + "/n"
    defer {
      unlink(directory + "/n")
      rmdir(directory)
    }
    let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": path], process: 1))
    #expect(!manager.tell(.ready))
    let receiver = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(receiver) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    if isAbstract { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(2 + bytes.count + (isAbstract ? 0 : 1))
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(receiver, $0, length) }
    }
    try #require(code == 0)
    #expect(manager.tell(.ready, .status("up")))
    var buffer = [UInt8](repeating: 0, count: 100)
    let count = recv(receiver, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    #expect(String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self) == "READY=1\nSTATUS=up")
  }
}

// An output whose reader stands still: a full pipe, a terminal after Ctrl-S, a socket.

import Glibc
import Testing

@testable import TerminalUI

@Suite struct SteadyOutputTests {
  enum Kind: CaseIterable {
    case pipe, terminal, socket

    /// The descriptors for reading and for writing.
    var ends: (read: Int32, write: Int32)? {
      var ends: [Int32] = [-1, -1]
      switch self {
      case .pipe: return Glibc.pipe(&ends) == 0 ? (ends[0], ends[1]) : nil
      case .terminal:
        // `posix_openpt` and its relatives are not imported; the numbers are TIOCSPTLCK and TIOCGPTN.
        let main = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var (locked, number): (Int32, Int32) = (0, 0)
        guard main >= 0, ioctl(main, 0x4004_5431, &locked) == 0, ioctl(main, 0x8004_5430, &number) == 0 else {
          return nil
        }
        return (main, open("/dev/pts/\(number)", O_RDWR | O_NOCTTY))
      case .socket:
        let stream = Int32(SOCK_STREAM.rawValue)
        return socketpair(AF_UNIX, stream, 0, &ends) == 0 ? (ends[0], ends[1]) : nil
      }
    }
  }

  @Test(
    "nobody reads: the writer goes on, and what was kept is sent in order once somebody does", arguments: Kind.allCases)
  func standsStill(kind: Kind) throws {
    let (reader, writer) = try #require(kind.ends)
    defer {
      close(reader)
      close(writer)
    }
    _ = fcntl(reader, F_SETFL, O_NONBLOCK)
    let output = SteadyOutput(descriptor: writer, limit: 1 << 20)
    // More than the system's buffers take.
    let text = (0..<2 << 20).map { UInt8(0x61 + $0 % 23) }
    #expect(output.write(text, patience: 0) && output.isBehind && !output.hasRoom)
    #expect(!output.write("dropped".utf8))
    // Other processes share the inherited description.
    #expect(fcntl(writer, F_GETFL) & O_NONBLOCK == 0)
    var received: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while received.count < text.count {
      let count = read(reader, &chunk, chunk.count)
      if count > 0 { received += chunk[..<count] } else { try #require(errno == EAGAIN) }
      output.drain(patience: 0)
    }
    #expect(received == text && !output.isBehind)
    #expect(output.write("again".utf8))
  }

  @Test("an output that was released finds its descriptor again")
  func released() throws {
    let (reader, writer) = try #require(Kind.pipe.ends)
    let (other, next) = try #require(Kind.pipe.ends)
    defer { for end in [reader, writer, other, next] { close(end) } }
    let output = SteadyOutput(descriptor: writer)
    output.write("x".utf8)
    output.release()
    // The number is never free: other tests of this process open files meanwhile.
    dup2(next, writer)
    var byte: UInt8 = 0
    #expect(read(reader, &byte, 1) == 1)
    // Nothing holds the first pipe open.
    #expect(read(reader, &byte, 1) == 0)
    output.write("y".utf8)
    #expect(read(other, &byte, 1) == 1 && byte == UInt8(ascii: "y"))
  }
}

// Bytes to a file descriptor, at the edge of drawing: if anything fails there, the program continues.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Writes whole texts to a descriptor that it does not own.
///
/// A text is never left cut off in the middle of an escape sequence: what a slow terminal does not accept at once is
/// kept and sent first the next time. A permanent error (`EPIPE`, `EBADF`, `EIO`) silences the writer for
/// good. The process must ignore `SIGPIPE`, as any program with sockets does.
struct DescriptorWriter {
  private let descriptor: Int32
  private var backlog: [UInt8] = []
  /// The descriptor is unusable; nothing is written.
  private(set) var isBroken = false

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Whether a frame may be skipped because the terminal has not accepted the last one yet.
  var isBehind: Bool { !backlog.isEmpty }

  /// Writes `text` after what is still kept, waiting at most `patience` milliseconds for a terminal that is slow.
  mutating func write(_ text: String, patience: Int32 = 20) {
    guard !isBroken else { return }
    backlog.append(contentsOf: text.utf8)
    flush(patience: patience)
  }

  /// Writes what is kept, as far as the terminal accepts it.
  mutating func flush(patience: Int32) {
    var start = 0
    while start < backlog.count, !isBroken {
      let written = backlog[start...].withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if written >= 0 {
        start += written
      } else if errno == EAGAIN {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&request, 1, patience) <= 0 { break }
      } else if errno != EINTR {
        isBroken = true
      }
    }
    if isBroken || start == backlog.count {
      backlog.removeAll(keepingCapacity: true)
    } else {
      backlog.removeFirst(start)
    }
  }
}

/// `write(2)` under a name that the method above does not hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

// A pipe whose read end a test looks into after every step.

import Glibc

/// Both ends of a pipe; neither blocks.
final class PipeReader {
  let writeEnd: Int32
  private let readEnd: Int32
  private var isReadEndOpen = true

  init() {
    // As `SteadyOutput` demands: a painter may write its last codes after the reader is gone.
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    closeReadEnd()
    close(writeEnd)
  }

  /// Everything written since the last look.
  func drain() -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(readEnd, &buffer, buffer.count), count > 0 {
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func closeReadEnd() {
    if isReadEndOpen { close(readEnd) }
    isReadEndOpen = false
  }
}

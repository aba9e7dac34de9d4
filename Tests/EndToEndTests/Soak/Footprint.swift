// The memory and descriptors of a running process, sampled many times.

import Foundation

/// One sample of a process.
struct Footprint: Sendable, CustomStringConvertible {
  /// The current bytes of private memory, without pages of the program and of files.
  var memory: Int
  /// The number of open descriptors.
  var descriptors: Int

  var description: String { "\(memory >> 10) KiB, \(descriptors) descriptors" }

  /// Samples a process; nil if it has ended.
  init?(of process: pid_t) {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") }),
      let kilobytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) }),
      let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
    else { return nil }
    (memory, descriptors) = (kilobytes << 10, open.count)
  }

  private init(memory: Int, descriptors: Int) { (self.memory, self.descriptors) = (memory, descriptors) }

  /// The maximum of each value.
  static func peak(_ all: some Sequence<Footprint>) -> Footprint {
    all.reduce(Footprint(memory: 0, descriptors: 0)) {
      Footprint(memory: max($0.memory, $1.memory), descriptors: max($0.descriptors, $1.descriptors))
    }
  }
}

extension RunningProgram {
  /// Waits for the program's end, and samples it with its progress.
  func finish(
    seconds: Double, lookingEvery interval: Double, at progress: () -> Int
  ) async throws -> (Finished, [(progress: Int, footprint: Footprint)]) {
    var looks: [(progress: Int, footprint: Footprint)] = []
    try await waitUntil("the end of the program", seconds: seconds, every: interval) {
      if let look = Footprint(of: pid) { looks.append((progress(), look)) }
      return exit != nil
    }
    return (try await finish(), looks)
  }
}

// How the cost of an input grows with its length. A parser that takes sixteen times as long for four times as much lets
// one answer stop dray (P13). The cost is CPU time of this thread, which other programs do not disturb.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

enum Growth {
  /// The CPU time that this thread takes for `work`, in seconds.
  static func cost(_ work: () -> Void) -> Double {
    func spent() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let before = spent()
    work()
    return spent() - before
  }

  /// Inputs that cost less, in seconds, are irrelevant and too fast to measure.
  private static let least = 0.08
  /// Twice the proportional cost, half the quadratic cost; sorting is in between.
  private static let most = 8.0

  /// Describes how the cost of `input` grows; `nil` if it does not grow much faster than the input.
  /// - Parameters:
  ///   - length: bytes of the shorter input; the longer has four times as many.
  ///   - input: makes an input of about so many bytes.
  ///   - isSecond: Whether half the length showed the growth already. Caches and other programs hardly cause it twice.
  static func excess(
    _ length: Int, _ input: (Int) -> [UInt8], isSecond: Bool = false, _ check: ([UInt8]) -> Void
  ) -> String? {
    let (short, long) = (input(length), input(4 * length))
    let first = cost { check(long) }
    guard first > least else { return nil }
    // Other programs may take memory bandwidth, so the best of three counts.
    let costs = [short, short, short].map { input in cost { check(input) } }
    let slow = min(first, cost { check(long) })
    guard let quick = costs.min(), slow > least, slow > most * quick else { return nil }
    guard isSecond else { return excess(2 * length, input, isSecond: true, check) }
    return "\(short.count) bytes cost \(quick) s, \(long.count) bytes \(slow) s"
  }

  /// Inputs that repeat one piece between the beginning and the end of each good sample. A `#` in a piece becomes its
  /// number, so that no two pieces are equal.
  static func repetitions(for target: FuzzTarget) -> [(piece: [UInt8], make: @Sendable (Int) -> [UInt8])] {
    let start = target.seeds.first ?? []
    let pieces =
      target.words.map { Array($0.utf8) }
      + [" ", "a", "[", "(", "\"", "\\", "%", ".", ",", "a,", "a#,", "a#=1,", "a#=1;", "a#: b\n"].map { Array($0.utf8) }
    return pieces.filter { !$0.isEmpty }.map { piece in
      (
        piece,
        { count in
          let middle = start.count / 2
          let pieces = (0..<count / piece.count).lazy.map { number in
            piece.flatMap { $0 == UInt8(ascii: "#") ? Array("\(number)".utf8) : [$0] }
          }
          return Array(start[..<middle]) + Array(pieces.joined()) + start[middle...]
        }
      )
    }
  }
}

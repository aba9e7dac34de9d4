// Which file has the bytes of a job that several machines may own one after the other (P20).

/// The generation of a job's part file.
///
/// The fence before a write is checked in the program. An owner that is stopped between this check and the system call,
/// or whose machine is cut off inside it, carries the call out later, when its lease is over and another owner continues
/// the job. Such a write, truncation, rename or removal must not meet the file of the new owner. So the new owner copies
/// the bytes that the checkpoint claims to a file with another inode and another name, unless the last owner has handed
/// the job back or its process is gone.
public struct PartGeneration: Sendable, Equatable {
  /// The number in the name of the part file. The first owner has 0, later ones have random numbers: two job stores that
  /// were one give no number twice.
  public var number: UInt32
  /// The generation whose bytes are being copied to this one; `nil` once they are there.
  public var source: UInt32?
  /// Whether the last owner may still write: its lease ended, and it has not handed the job back.
  public var isLost: Bool

  /// Creates a generation; by default that of a new job.
  public init(_ number: UInt32 = 0, from source: UInt32? = nil, isLost: Bool = false) {
    (self.number, self.source, self.isLost) = (number, source, isLost)
  }

  /// Whether an owner must begin a new generation before it touches a part file.
  public var mustBeReplaced: Bool { isLost || source != nil }

  /// Returns the generation that an owner begins; `nil` if it continues the same file.
  /// - Parameters:
  ///   - random: a number that no generation of the job has had.
  ///   - sourceExists: Whether the file of ``source`` exists. It is removed only after its copy is durable, so without
  ///     it the copy is complete.
  public func next(_ random: UInt32, sourceExists: Bool) -> PartGeneration? {
    guard mustBeReplaced else { return nil }
    let complete = source.flatMap { sourceExists ? $0 : nil } ?? number
    return PartGeneration(random, from: complete)
  }

  /// The text in a job store: `7`, `7<3` with the source, each with a `!` if the last owner is lost.
  public var text: String { "\(number)" + (source.map { "<\($0)" } ?? "") + (isLost ? "!" : "") }

  /// Parses ``text``.
  public init?(_ text: String) {
    var rest = text[...]
    isLost = rest.last == "!"
    if isLost { rest.removeLast() }
    let numbers = rest.split(separator: "<", omittingEmptySubsequences: false).map { UInt32($0) }
    guard (1...2).contains(numbers.count), let number = numbers[0] else { return nil }
    guard numbers.count == 1 || numbers[1] != nil else { return nil }
    (self.number, source) = (number, numbers.count == 2 ? numbers[1] : nil)
  }
}

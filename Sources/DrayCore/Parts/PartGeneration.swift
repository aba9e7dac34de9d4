// Which file has the bytes of a job that several machines may own one after the other (P20).

/// The generation of a job's part file.
///
/// The fence before a write is checked in the program. If an owner is stopped between this check and the system call,
/// or if its machine is cut off during the call, the call may take effect later, when the lease has ended and another
/// owner continues the job. Such a write, truncation, rename or removal must not reach the new owner's file. The new
/// owner therefore copies the bytes that the checkpoint covers to a file with another inode and another name, unless
/// the last owner has handed the job back, or its process is gone.
public struct PartGeneration: Sendable, Equatable {
  /// The number in the name of the part file. The first owner's is 0. Later ones are random, so that two copies of a
  /// job store do not choose the same number.
  public var number: UInt32
  /// The generation whose bytes are being copied to this one; `nil` once that is done.
  public var source: UInt32?
  /// Whether the last owner may still write, because its lease has ended but the job was not handed back.
  public var isLost: Bool

  /// Creates a generation, by default a new job's.
  public init(_ number: UInt32 = 0, from source: UInt32? = nil, isLost: Bool = false) {
    (self.number, self.source, self.isLost) = (number, source, isLost)
  }

  /// Whether an owner must begin a new generation before it touches a part file.
  public var mustBeReplaced: Bool { isLost || source != nil }

  /// Returns the generation that an owner begins; `nil` to continue the same file.
  /// - Parameters:
  ///   - random: A number that no generation of the job has had.
  ///   - sourceExists: Whether the file of ``source`` exists. If not, the copy is complete, because that file is
  ///     removed only after the copy is durable.
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

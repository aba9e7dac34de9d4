// Decides which file has the bytes of a job that several machines own one after another (P20).

/// The generation of a job's part file.
///
/// Before each write, the program checks that it still owns the job (the fence). But if it is stopped between this
/// check and the system call, or if its machine is cut off during the call, the call may take effect later, when the
/// lease has ended and another owner continues the job. Such a late write, truncation, rename or removal must not
/// affect the file of the new owner. The new owner therefore copies the checkpoint's bytes to a file with a new inode
/// and a new name, unless the last owner handed the job back, or its process is known to be gone.
public struct PartGeneration: Sendable, Equatable {
  /// The number in the name of the part file. It is 0 for the first owner. Later numbers are random, so that two copies
  /// of a job store do not choose the same one.
  package var number: UInt32
  /// The generation from which bytes are being copied to this one; `nil` once the copy is complete.
  package var source: UInt32?
  /// Whether the last owner may still write: its lease has ended, but it did not hand the job back.
  package var isLost: Bool

  /// Creates a generation; by default, that of a new job.
  package init(_ number: UInt32 = 0, from source: UInt32? = nil, isLost: Bool = false) {
    (self.number, self.source, self.isLost) = (number, source, isLost)
  }

  /// Whether an owner must begin a new generation before it touches a part file.
  package var mustBeReplaced: Bool { isLost || source != nil }

  /// Returns the generation that an owner begins; `nil` to continue the same file.
  /// - Parameters:
  ///   - random: A number that no generation of the job has had.
  ///   - sourceExists: Whether the file of ``source`` exists. If not, the copy is complete, because the file is removed
  ///     only after its copy is on the disk.
  package func next(_ random: UInt32, sourceExists: Bool) -> PartGeneration? {
    guard mustBeReplaced else { return nil }
    let complete = source.flatMap { sourceExists ? $0 : nil } ?? number
    return PartGeneration(random, from: complete)
  }

  /// The text in a job store: `7`, or `7<3` with the source, each followed by `!` if the last owner is lost.
  package var text: String { "\(number)" + (source.map { "<\($0)" } ?? "") + (isLost ? "!" : "") }

  /// Parses ``text``.
  package init?(_ text: String) {
    var rest = text[...]
    isLost = rest.last == "!"
    if isLost { rest.removeLast() }
    let numbers = rest.split(separator: "<", omittingEmptySubsequences: false).map { UInt32($0) }
    guard (1...2).contains(numbers.count), let number = numbers[0] else { return nil }
    guard numbers.count == 1 || numbers[1] != nil else { return nil }
    (self.number, source) = (number, numbers.count == 2 ? numbers[1] : nil)
  }
}

// Finds out which files of an image a directory has already: images share layers.

public import DrayCore
public import DrayDocuments
internal import DrayEngine
internal import Posix

/// What is left to fetch of an image.
public struct PresentImage: Sendable {
  /// The answer without the files that are there.
  public let answer: SourceAnswer
  /// The number of files that are there.
  public let count: Int

  /// Compares the files of an image with a directory: their sizes, then their digests. If all of them are there, the
  /// image is named at once. The call blocks the calling thread.
  /// - Throws: Kind `file`.
  public init(_ answer: SourceAnswer, in base: DirectoryPlace) throws(Failure) {
    var left = answer
    left.entries = []
    for entry in answer.entries {
      guard case .image? = entry.arrangement, try PresentImage.isThere(entry.file, in: base) else {
        left.entries.append(entry)
        continue
      }
    }
    (self.answer, count) = (left, answer.entries.count - left.entries.count)
    guard left.entries.isEmpty, let entry = answer.entries.last, case .image(let image)? = entry.arrangement else {
      return
    }
    let (directory, _) = PathText.split(entry.path)
    try ImageLayout.arrange(image, after: entry.path, in: directory.map { base.appending($0) } ?? base)
  }

  /// Whether an answer has the files of an image.
  public static func isImage(_ answer: SourceAnswer) -> Bool {
    if case .image? = answer.entries.last?.arrangement { true } else { false }
  }

  private static func isThere(_ file: OfferedFile, in base: DirectoryPlace) throws(Failure) -> Bool {
    guard let path = file.name, let digest = file.digest, base.object == nil else { return false }
    let (parent, name) = PathText.split(path)
    guard let directory = try? TargetDirectory(parent.map { base.appending($0) } ?? base),
      directory.identity(of: name)?.size == file.size
    else { return false }
    return try ProvedFiles.shared.has(digest, name, in: directory)
  }
}

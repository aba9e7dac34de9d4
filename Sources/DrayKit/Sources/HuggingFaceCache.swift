// Prepares the cache directory of the official client of Hugging Face before its files are queued.

public import DrayCore
public import DrayDocuments
internal import DrayEngine
internal import FoundationEssentials
internal import Posix
internal import Threads

/// The cache directory, for one answer.
public struct HuggingFaceCache: Sendable {
  /// The files that are not in the cache yet, with their paths and links in it.
  public private(set) var answer: SourceAnswer
  /// How many files are in the cache already. Their links are made.
  public private(set) var present = 0

  /// The largest file whose digest is compared before it counts as present, in bytes. Larger files count by their
  /// length.
  private static let cheap: Int64 = 1 << 20

  /// Makes the directories and small files of the cache, and the links to blobs that are there. The call blocks the
  /// calling thread.
  /// - Parameters:
  ///   - found: What the source answered, perhaps filtered.
  ///   - asked: The name that was asked for.
  ///   - place: The cache directory, which is created if it is missing.
  /// - Throws: Kind `usage` for files that have no place in the cache; kind `file` for the disk.
  public init(_ found: SourceAnswer, asked: SourceName, in place: DirectoryPlace) throws(Failure) {
    guard place.traits.holdsFiles else {
      throw Failure(
        .usage, place.path, "the cache is a directory with links, which an object store cannot hold",
        advice: "choose a directory with \(.directory)")
    }
    let cache: HubCache
    do throws(DocumentError) { cache = try HubCache(found, asked: asked, time: WallClock.now()) } catch {
      throw Failure(.usage, TextSafety.escaped(asked.text), error.reason)
    }
    (answer, answer.entries) = (cache.answer, [])
    for path in cache.directories {
      try failing(on: PathText.join(place.path, path)) { () throws(SystemError) in
        _ = try TargetDirectory(place.alone.appending(path), create: true)
      }
    }
    for document in cache.documents { try HuggingFaceCache.write(document, in: place) }
    let arranging = Arranging()
    for entry in cache.answer.entries {
      if try HuggingFaceCache.has(entry, in: place, arranging) { present += 1 } else { answer.entries.append(entry) }
    }
  }

  /// Writes a small file if it is missing.
  private static func write(_ document: SourceAnswer.Document, in place: DirectoryPlace) throws(Failure) {
    let (path, name) = (PathText.join(place.path, document.path), PathText.name(of: document.path))
    try failing(on: path) { () throws(SystemError) in
      let directory = try TargetDirectory(
        place.alone.appending(PathText.directory(of: document.path)), create: true)
      guard !directory.exists(name) else { return }
      let temporary = Job.partFileName(UUID())
      let part = try PartFile.create(temporary, in: directory)
      do throws(SystemError) {
        try part.replace(with: document.bytes)
        try directory.rename(temporary, to: name, replacing: true)
      } catch {
        try? directory.remove(temporary)
        throw error
      }
      try directory.sync()
    }
  }

  /// Whether the file of an entry is in the cache. If it is, its links are made.
  private static func has(
    _ entry: SourceAnswer.Entry, in place: DirectoryPlace, _ arranging: Arranging
  ) throws(Failure) -> Bool {
    guard let path = entry.file.name, let size = entry.file.size, case .links(let links)? = entry.arrangement else {
      return false
    }
    let home = place.alone.appending(PathText.directory(of: path))
    let file = PathText.join(place.path, path)
    // A blob may be a link into the store that the official client shares among repositories.
    guard let status = try? System.status(at: file), status.isRegular, status.size == size else { return false }
    if size <= cheap, let digest = entry.file.digest {
      guard let found = try? FileDigest.compute([digest.algorithm], ofFileAt: file), found.values == [digest] else {
        return false
      }
    }
    try arranging.finish(links, home, named: PathText.name(of: path))
    return true
  }
}

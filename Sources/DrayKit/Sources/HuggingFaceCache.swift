// Prepares the cache directory of the official client of Hugging Face before its files are queued.

package import DrayCore
package import DrayDocuments
internal import DrayEngine
internal import FoundationEssentials
internal import Posix
internal import Threads

/// The cache directory, for one answer.
package struct HuggingFaceCache: Sendable {
  /// The files, with their paths and links in the cache.
  package var answer: SourceAnswer { cache.answer }
  private let cache: HubCache

  /// The directory of the blobs, whose names are digests, below the cache.
  package var blobs: String { cache.blobs }
  /// Where programs find the files below the cache: the snapshot, or the file in it if the name is that of one file.
  package var snapshot: String { cache.snapshot }

  /// Arranges the files of an answer.
  /// - Parameters:
  ///   - found: What the source answered, perhaps filtered.
  ///   - asked: The name that was asked for.
  /// - Throws: Kind `usage` for files that have no place in the cache.
  package init(_ found: SourceAnswer, asked: SourceName) throws(Failure) {
    do throws(DocumentError) { cache = try HubCache(found, asked: asked, time: WallClock.now()) } catch {
      throw Failure(.usage, asked.shown, error.reason)
    }
  }

  /// Creates the cache of files that are arranged already.
  init(_ cache: HubCache) { self.cache = cache }

  /// Makes the directories and small files of the cache. The call blocks the calling thread.
  /// - Parameter place: The cache directory, which is created if it is missing.
  /// - Throws: Kind `usage` for an object store; kind `file` for the disk.
  package func prepare(in place: DirectoryPlace) throws(Failure) {
    guard place.traits.holdsFiles else {
      throw Failure(
        .usage, place.path, "the cache is a directory with links, which an object store cannot hold",
        advice: "choose a directory with \(.directory)")
    }
    for path in cache.directories {
      try failing(on: PathText.join(place.path, path)) { () throws(SystemError) in
        _ = try TargetDirectory(place.alone.appending(path), create: true)
      }
    }
    for document in cache.documents { try HuggingFaceCache.write(document, in: place) }
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
}

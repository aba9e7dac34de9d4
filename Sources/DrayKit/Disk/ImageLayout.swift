// Makes a complete image visible: writes the index of an image layout, or the manifest of a model, after all blobs.

package import DrayCore
internal import DrayDocuments
internal import DrayEngine
internal import Posix

/// The files that name an image.
package enum ImageLayout {
  /// Writes what names an image if its manifest and all its blobs are there. It is called after each file of the image,
  /// by any number of processes. Once everything is written, it changes nothing. The call blocks the calling thread.
  /// - Parameters:
  ///   - path: The path of the file in the source, such as `blobs/sha256/HEX`.
  ///   - place: The directory of the file. The path leads from the image's directory to it.
  /// - Returns: Whether the image is complete.
  /// - Throws: Kind `file`.
  @discardableResult
  package static func arrange(
    _ image: ImageArrangement, after path: String, in place: DirectoryPlace
  ) throws(Failure) -> Bool {
    try arrange(image, after: path, in: place, LockPatience())
  }

  /// - Parameter patience: How long all images of a group wait for the locks of other programs.
  @discardableResult
  static func arrange(
    _ image: ImageArrangement, after path: String, in place: DirectoryPlace, _ patience: LockPatience
  ) throws(Failure) -> Bool {
    try complete(image, after: path, in: place, patience).isEmpty
  }

  /// Does the same as ``arrange(_:after:in:)``.
  /// - Returns: The paths of the first files that are missing or have other bytes; empty if the image is complete.
  static func complete(
    _ image: ImageArrangement, after path: String, in place: DirectoryPlace, _ patience: LockPatience
  ) throws(Failure) -> [String] {
    var base = place.alone
    for _ in 0..<max(0, path.split(separator: "/").count - 1) { base = base.parent }
    guard base.object == nil else {
      throw Failure(
        .usage, base.path, "an image needs a directory", advice: "choose one with \(.directory)", recovery: .keep)
    }
    let missing = try missing(of: image, in: base)
    guard missing.isEmpty else { return missing.map { PathText.join(base.path, $0) } }
    // Several processes may add images to one index. Where directories cannot be locked, or where another program keeps
    // the lock for too long, the last one wins.
    let directory = try failing(on: base.path) { () throws(SystemError) in
      try System.open(base.path, [.reading, .directory])
    }
    defer { System.unlockAndClose(directory) }
    patience.lock { () throws(SystemError) in try System.tryLock(directory) ? directory : nil }
    switch image.layout {
    case .index(let tag, let name): try writeIndex(image, tag, name, in: base)
    case .model(let path): try writeModel(image, path, in: base)
    }
    return []
  }

  // MARK: Blobs

  private static func path(_ image: ImageArrangement, _ digest: DigestValue) -> String {
    if case .model = image.layout { ImageDigest.modelPath(digest) } else { ImageDigest.path(digest) }
  }

  /// The number of missing files that are named. All blobs are looked at only when fewer are missing.
  private static let named = 8

  /// Returns the paths of the first files that are missing: the manifest or blobs. A file may be another program's, so it
  /// counts only if its digest is right (P12).
  private static func missing(of image: ImageArrangement, in base: DirectoryPlace) throws(Failure) -> [String] {
    let file = path(image, image.manifest)
    guard size(of: file, in: base) == image.size, let bytes = contents(of: file, in: base, ImageDocument.longest)
    else { return [file] }
    guard FileDigest.of(bytes, image.manifest.algorithm) == image.manifest else { return [file] }
    let document: ImageDocument
    do throws(DocumentError) { document = try ImageDocument.parse(bytes, contentType: image.mediaType) } catch {
      throw error.failure(PathText.join(base.path, file), .protocolViolation)
    }
    guard case .image(let manifest) = document else { return [file] }
    // Queues begin with the first blobs, so the last ones are likely to be missing.
    let absent = manifest.blobs.lazy.reversed().filter { size(of: path(image, $0.digest), in: base) != $0.size }
    let missing: [String] = absent.prefix(named).map { path(image, $0.digest) }
    guard missing.isEmpty else { return missing }
    let wrong = manifest.blobs.lazy.filter { !isProved($0.digest, path(image, $0.digest), in: base) }
    return wrong.prefix(named).map { path(image, $0.digest) }
  }

  private static func directory(of path: String, in base: DirectoryPlace, create: Bool = false) throws(SystemError)
    -> (TargetDirectory, name: String)
  {
    let (parent, name) = PathText.split(path)
    return (try TargetDirectory(parent.map { base.appending($0) } ?? base, create: create), name)
  }

  private static func isProved(_ digest: DigestValue, _ path: String, in base: DirectoryPlace) -> Bool {
    guard let (directory, name) = try? directory(of: path, in: base) else { return false }
    return (try? ProvedFiles.shared.has(digest, name, in: directory)) ?? false
  }

  private static func size(of path: String, in base: DirectoryPlace) -> Int64? {
    guard let (directory, name) = try? directory(of: path, in: base) else { return nil }
    return directory.identity(of: name)?.size
  }

  /// Returns the bytes of a regular file; `nil` if there is none, or if it is longer than `limit`.
  private static func contents(of path: String, in base: DirectoryPlace, _ limit: Int) -> [UInt8]? {
    guard let (directory, name) = try? directory(of: path, in: base), let size = directory.identity(of: name)?.size,
      size <= Int64(limit),
      let file = try? System.open(PathText.join(directory.path, name), [.reading, .noFollow, .nonBlocking])
    else { return nil }
    defer { System.close(file) }
    return try? System.readFile(file, limit: limit)
  }

  // MARK: Names

  private static func writeIndex(
    _ image: ImageArrangement, _ tag: String?, _ name: String, in base: DirectoryPlace
  ) throws(Failure) {
    let (marker, index) = ("oci-layout", "index.json")
    if size(of: marker, in: base) == nil { try write(ImageLayoutIndex.marker, to: marker, in: base) }
    let existing = contents(of: index, in: base, ImageLayoutIndex.longest)
    let place = PathText.join(base.path, index)
    guard existing != nil || !exists(index, in: base) else {
      throw Failure(.file, place, "it cannot be read", advice: "move it away", recovery: .keep)
    }
    let new: [UInt8]?
    do throws(DocumentError) {
      new = try ImageLayoutIndex.adding(image, tag: tag, name: name, to: existing)
    } catch {
      throw Failure(
        .file, place, "\(TextSafety.escaped(error.reason)), so no image can be added", advice: "move it away",
        recovery: .keep)
    }
    if let new { try write(new, to: index, in: base) }
  }

  private static func writeModel(_ image: ImageArrangement, _ file: String, in base: DirectoryPlace) throws(Failure) {
    guard let bytes = contents(of: path(image, image.manifest), in: base, ImageDocument.longest) else { return }
    if contents(of: file, in: base, ImageDocument.longest) != bytes { try write(bytes, to: file, in: base) }
  }

  private static func exists(_ path: String, in base: DirectoryPlace) -> Bool {
    guard let (directory, name) = try? directory(of: path, in: base) else { return false }
    return directory.exists(name)
  }

  /// Writes a file atomically. Opening its directory first refuses links in the part that the user did not name.
  private static func write(_ bytes: [UInt8], to path: String, in base: DirectoryPlace) throws(Failure) {
    let place = PathText.join(base.path, path)
    try failing(on: place) { () throws(SystemError) in _ = try directory(of: path, in: base, create: true) }
    try AtomicFile.write(bytes, to: place, hasNeighbors: true)
  }
}

// Makes published files visible to the programs that they are for, as their sources want it: the file first, then its
// links, then the note for which version the links stand.

internal import DrayEngine
internal import FoundationEssentials
internal import Posix

/// The arranging of a group of files. Every step can be repeated, and changes nothing that is already as wanted.
struct Arranging: Sendable {
  private let patience = LockPatience()
  /// Whether each name is made durable; if not, the caller syncs the file system.
  private let syncs: Bool

  init(syncs: Bool = true) { self.syncs = syncs }

  /// Returns why a job's file cannot be arranged at its destination; `nil` if it can, or if nothing is to be arranged.
  static func refusal(of specification: JobSpecification) -> Failure? {
    guard !specification.arrangements.isEmpty, !specification.place.traits.holdsFiles else { return nil }
    return Failure(
      .usage, specification.directory, "an object store cannot hold what leads to this file",
      advice: "choose a directory with \(.directory)", recovery: .keep)
  }

  /// Remembers the digest of a published file that images or snapshots share, which is then not hashed again.
  /// - Parameter digest: `nil` if the digest of the file's bytes is unknown.
  func learn(_ digest: DigestValue?, of specification: JobSpecification, named name: String) {
    guard let digest, !specification.arrangements.isEmpty, let directory = try? TargetDirectory(specification.place)
    else { return }
    ProvedFiles.shared.put(digest, of: name, in: directory)
  }

  /// Arranges the published file of a job. The call blocks the calling thread.
  /// - Parameters:
  ///   - arrangements: The arrangements; `nil` for those of the specification.
  ///   - name: The file's name in its directory.
  /// - Returns: The images of the file that are not complete.
  /// - Throws: Kind `file`, after everything else has been done; the file itself stays as it is.
  @discardableResult
  func finish(
    _ specification: JobSpecification, _ arrangements: [SourceArrangement]? = nil, named name: String
  ) throws(Failure) -> [PartialImage] {
    guard let source = specification.options.source else { return [] }
    if let refusal = Arranging.refusal(of: specification) { throw refusal }
    var (failures, partial): ([Failure], [PartialImage]) = ([], [])
    for arrangement in arrangements ?? source.arrangements {
      // A problem with one image or snapshot must not hold up another.
      do throws(Failure) {
        switch arrangement {
        case .links(let links): try finish(links, specification.place, named: name)
        case .image(let image):
          let missing = try ImageLayout.complete(image, after: source.path, in: specification.place, patience)
          if !missing.isEmpty { partial.append(PartialImage(name: image.name, missing: missing)) }
        }
      } catch {
        failures.append(error)
      }
    }
    if let failure = failures.first { throw failure }
    return partial
  }

  /// An image that lacks files.
  struct PartialImage {
    var name: String
    /// The absolute paths of the first of these files.
    var missing: [String]
  }

  /// Makes the links to a file, and the note.
  /// - Parameter place: The directory of the file.
  func finish(_ links: LinkArrangement, _ place: DirectoryPlace, named name: String) throws(Failure) {
    let place = place.alone
    let base = links.base(of: place)
    let home = try failing(on: place.path) { () throws(SystemError) in try TargetDirectory(place) }
    let lock = links.lock.flatMap { self.lock($0, below: base) }
    defer { if let lock { TargetDirectory.unlock(lock) } }
    let file = PathText.join(place.path, name).dropFirst(base.path.count)
    for path in links.paths { try link(path, to: String(file), in: home, below: base) }
    if let note = links.note { try write(note, in: home, below: base) }
  }

  private func link(
    _ path: String, to file: String, in home: TargetDirectory, below base: DirectoryPlace
  ) throws(Failure) {
    let subject = PathText.join(base.path, path)
    do throws(SystemError) {
      let directory = try TargetDirectory(base.appending(PathText.directory(of: path)), create: true)
      let text = LinkArrangement.text(from: path, to: file)
      guard try home.publishLink(to: text, as: PathText.name(of: path), in: directory) else { return }
      if syncs { try directory.sync() }
    } catch {
      guard error.code == SystemError.exists else { throw error.failure(subject) }
      throw Failure(
        .file, subject, "something else has the name of the link to the file",
        advice: "move it away, then \(.run) continues", recovery: .keep)
    }
  }

  /// Writes a note, unless a later one is there.
  private func write(
    _ note: LinkArrangement.Note, in home: TargetDirectory, below base: DirectoryPlace
  ) throws(Failure) {
    let name = PathText.name(of: note.path)
    try failing(on: PathText.join(base.path, note.path)) { () throws(SystemError) in
      let directory = try TargetDirectory(base.appending(PathText.directory(of: note.path)), create: true)
      if let found = directory.identity(of: name) {
        if Double(found.modified) / 1e9 > note.time { return }
        if try Arranging.text(of: name, in: directory) == note.text { return }
      }
      // Programs that list the directory of the note never see the temporary name.
      let temporary = Job.partFileName(UUID())
      let part = try PartFile.create(temporary, in: home)
      do throws(SystemError) {
        try part.replace(with: Array(note.text.utf8))
        try home.move(temporary, to: name, in: directory)
      } catch {
        try? home.remove(temporary)
        throw error
      }
      if syncs { try directory.sync() }
    }
  }

  /// Returns the text of a small file.
  private static func text(of name: String, in directory: TargetDirectory) throws(SystemError) -> String {
    String(decoding: try PartFile.openPublished(name, in: directory)?.start(256) ?? [], as: UTF8.self)
  }

  /// Returns the lock of another program; `nil` if that keeps it for too long, or if it cannot be used.
  private func lock(_ path: String, below base: DirectoryPlace) -> Int32? {
    let place = base.appending(PathText.directory(of: path))
    guard let directory = try? TargetDirectory(place, create: true) else { return nil }
    return patience.lock { () throws(SystemError) in try directory.tryLock(PathText.name(of: path)) }
  }
}

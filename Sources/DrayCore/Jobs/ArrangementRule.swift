// Merges the arrangements of a file that several images, models or snapshots share.

/// Decides which arrangements a job has after another request for the same file.
///
/// | the new arrangement | the list |
/// |---|---|
/// | names the same image: the same name and tag, the same digest without a tag, or the same path of a model | it replaces the old one |
/// | has all links of an old one, and its note, if that has one | it replaces the old one |
/// | has no note, and an old one has all its links | is unchanged |
/// | anything else | it is added |
package enum ArrangementRule {
  /// The maximum number of arrangements of one file (P13).
  package static let most = 64

  /// Returns the merged list.
  /// - Parameter mayReplace: Whether new arrangements take the place of old ones. A client may only add to a job that is
  ///   not its own (P22).
  /// - Returns: `nil` if the list would be longer than ``most``.
  package static func merged(
    _ new: [SourceArrangement], into old: [SourceArrangement], mayReplace: Bool = true
  ) -> [SourceArrangement]? {
    var all = old
    for one in new where !all.contains(where: { $0 == one || covers($0, one) }) {
      let replaced = all.indices.filter { replaces(one, all[$0]) }
      guard let first = replaced.first else {
        all.append(one)
        continue
      }
      guard mayReplace else { continue }
      all[first] = one
      for index in replaced.dropFirst().reversed() { all.remove(at: index) }
    }
    // A list that is too long already may become shorter, but not longer.
    return all.count <= max(most, old.count) ? all : nil
  }

  /// The failure for a list that would be too long.
  package static func tooMany(_ subject: String) -> Failure {
    Failure(
      .usage, subject, "\(most) images or snapshots already wait for this file, and one job has no more of them",
      advice: "let \(.run) fetch it, then repeat the command", recovery: .keep)
  }

  /// The images and snapshots of jobs that are removed together.
  ///
  /// | an arrangement | belongs to the jobs that are removed |
  /// |---|---|
  /// | the first one of a job | always: the job was added for it |
  /// | links | if they are in a snapshot of one of the jobs, and have the same note |
  /// | an image | if it is the same entry as the first one of one of the jobs |
  /// | anything else | never |
  package struct Removed: Sendable {
    private var snapshots: Set<Snapshot> = []
    private var images: [ImageArrangement] = []

    /// Collects those of jobs. All jobs that are removed must be added before one of them is judged.
    package init(_ jobs: [JobSpecification] = []) { for job in jobs { add(job) } }

    package mutating func add(_ job: JobSpecification) {
      guard let source = job.options.source, let first = source.arrangements.first else { return }
      if case .image(let image) = first, !images.contains(where: image.isSameEntry) { images.append(image) }
      for case .links(let links) in source.arrangements {
        guard let snapshot = Snapshot(links, source, isFirst: .links(links) == first) else { continue }
        snapshots.insert(snapshot)
      }
    }

    /// Returns what other names still want of the file of one of these jobs.
    package func wantedByOthers(of job: JobSpecification) -> [SourceArrangement] {
      job.arrangements.dropFirst().filter { one in
        switch one {
        case .links(let links): !snapshots.contains { $0.holds(links) }
        case .image(let image): !images.contains(where: image.isSameEntry)
        }
      }
    }
  }

  /// The directory of the links of a version, with the note that belongs to them.
  private struct Snapshot: Hashable {
    var directory: String
    var note: String?

    /// - Returns: `nil` if the links are not for the version of the source, nor the first ones of the job.
    init?(_ links: LinkArrangement, _ source: SourceReference, isFirst: Bool) {
      note = links.note?.path
      if case .links(let first)? = source.arrangements.first, note != first.note?.path { return nil }
      let end = "/\(source.path)"
      if let revision = source.revision, let path = links.paths.first(where: { $0.hasSuffix("/\(revision)\(end)") }) {
        directory = String(path.dropLast(end.count))
      } else if isFirst, let path = links.paths.first {
        directory = path.hasSuffix(end) ? String(path.dropLast(end.count)) : PathText.directory(of: path)
      } else {
        return nil
      }
    }

    func holds(_ links: LinkArrangement) -> Bool {
      links.note?.path == note && links.paths.contains { $0.hasPrefix(directory + "/") }
    }
  }

  private static func covers(_ old: SourceArrangement, _ new: SourceArrangement) -> Bool {
    guard case .links(let old) = old, case .links(let new) = new, new.note == nil else { return false }
    return Set(new.paths).isSubset(of: old.paths)
  }

  private static func replaces(_ new: SourceArrangement, _ old: SourceArrangement) -> Bool {
    switch (new, old) {
    case (.links(let new), .links(let old)):
      Set(old.paths).isSubset(of: new.paths) && (old.note == nil || old.note?.path == new.note?.path)
    case (.image(let new), .image(let old)): new.isSameEntry(as: old)
    case (.links, .image), (.image, .links): false
    }
  }
}

extension ImageArrangement {
  /// Whether both write the same entry of an index, or the same file.
  fileprivate func isSameEntry(as other: ImageArrangement) -> Bool {
    switch (layout, other.layout) {
    case (.index(let tag, let image), .index(let otherTag, let otherImage)):
      // Without a tag, the digest is the name.
      tag == otherTag && image == otherImage && (tag != nil || manifest == other.manifest)
    case (.model(let path), .model(let otherPath)): path == otherPath
    case (.index, .model), (.model, .index): false
    }
  }
}

extension SourceReference {
  /// Returns this reference with the arrangements of a job for the same file as well. If there would be too many, the
  /// job keeps its own.
  func keepingArrangements(of old: SourceReference?) -> SourceReference {
    guard let old else { return self }
    var kept = self
    kept.arrangements = ArrangementRule.merged(arrangements, into: old.arrangements) ?? old.arrangements
    return kept
  }
}

extension JobSpecification {
  /// The arrangements for the published file.
  public var arrangements: [SourceArrangement] { options.source?.arrangements ?? [] }

  /// Whether the file's name is its digest, as in a directory that images or snapshots share. Such a file is right or
  /// damaged, but never another version.
  public var isNamedByDigest: Bool {
    guard let digest = options.digest, let output, !arrangements.isEmpty else { return false }
    return output.lowercased().hasSuffix(digest.hex.lowercased())
  }
}

// Walks the directories of a server, listing by listing, and passes on files as they are found, without queueing jobs.

package import DrayCore
package import DrayDocuments
internal import DrayEngine

/// A request for the files below a directory.
package struct TreeRequest: Sendable {
  /// The request for the directory, whose path ends with a slash.
  package var request: TransferRequest
  /// The filter for the wanted files.
  package var filter: TreeFilter
  /// The number of levels: 1 means only the directory itself, `nil` means all levels.
  package var depth: Int?
  /// The number of directories that local paths leave out, counted from the server's root; `nil` leaves out those of
  /// the request's path.
  package var cut: Int?
  /// How the local directory compares names.
  package var folding = NameFolding.none
  /// The limits on the walk.
  package var limits = TreeLimits()

  /// Creates a request.
  package init(_ request: TransferRequest, filter: TreeFilter = TreeFilter(), depth: Int? = nil) {
    (self.request, self.filter, self.depth) = (request, filter, depth)
  }
}

/// Limits on the cost of a walk, as a protection from hostile servers (P13).
package struct TreeLimits: Sendable {
  /// The maximum depth if none was requested: links that lead upwards would otherwise make endless trees.
  package var depth = 64
  /// The maximum number of listings.
  package var listings = 10_000
  /// The maximum number of files.
  package var files = 500_000
  /// The maximum number of entries in all listings, wanted or not.
  package var entries = 2_000_000
  /// The maximum number of seconds for all listings, and for a single listing.
  package var seconds = 3600.0, listingSeconds = 600.0
  /// The maximum number of listings that are requested at once.
  package var together = 4

  /// Creates the default limits.
  package init() {}
}

/// A file that was found.
package struct TreeFile: Sendable, Equatable {
  /// The URL of the file.
  package var url: RequestURL
  /// The file's path, relative to the start directory.
  package var path: TreePath
  /// The facts about the version of the file that the listing states.
  package var facts: ListedFacts

  /// Puts the job of the file in the right place below the job's directory, and into the group of the tree.
  /// - Parameters:
  ///   - job: The job to change.
  ///   - start: The directory at which the walk started.
  package func apply(to job: inout JobSpecification, below start: RequestURL) {
    job.group = JobGroup(url: start, directory: job.directory)
    job.options.isListed = true
    OfferedFile(urls: [url], name: path.path).apply(to: &job)
  }
}

/// The result of a walk.
package struct TreeReport: Sendable, Equatable {
  /// The number of wanted files that were found.
  package var files = 0
  /// The number of directories whose listings were read.
  package var directories = 0
  /// The number of links and devices that were skipped.
  package var others = 0
  /// The number of directories that were not entered because they are their own ancestors, reached by links that lead
  /// upwards.
  package var loops = 0
  /// The number of entries that could not be read, or that cannot be stored under their path.
  package var failures = 0
  /// The number of listed entries that are not files of their directories, by kind.
  package var dropped: [DroppedEntry: Int] = [:]
}

/// A walk in progress. The object is confined to the task that runs the walk.
final class TreeWalk {
  /// The maximum number of requests for a listing whose server has a temporary problem.
  private static let tries = 3

  private struct Directory: Sendable {
    var url: RequestURL
    /// The components of the directory's path; empty for the start directory.
    var components: [String] = []
    var next: String?
    /// How the server lists directories, as the first listing has shown.
    var style: ListingStyle?
    /// The listings of the ancestors, nearest first.
    var above: Ancestors?
    /// Set if the directory may also be a file.
    var open: OpenEntry?
  }

  /// An entry that may be a file or a directory.
  private struct OpenEntry: Sendable {
    var entry: ListedEntry
    var path: TreePath
    var hasNamesOnly: Bool
    /// Whether the entry's local path is reserved until the answer comes, so that paths are assigned in the order of
    /// the listing.
    var isReserved: Bool
  }

  /// The answer for a directory, or for an entry of unknown kind.
  private enum Answer: Sendable {
    case listing(ListingPart)
    case open(OpenEntry, OpenLinkAnswer)
    case failure(Failure)
  }

  /// The listings of a directory and its ancestors, as far as they are needed to recognize a directory that is its own
  /// ancestor.
  private final class Ancestors: Sendable {
    let mark: ListingMark
    let above: Ancestors?

    init(_ mark: ListingMark, _ above: Ancestors?) { (self.mark, self.above) = (mark, above) }

    /// Whether a directory below is the same as one of these, reached by a link that leads upwards. If listings give
    /// only names, two ancestors with a file must match, because directories that merely look alike are rarely nested
    /// so deeply.
    func isRepeated(by other: ListingMark) -> Bool {
      var (count, one) = (0, Ancestors?.some(self))
      while let here = one {
        if here.mark == other { count += 1 }
        one = here.above
      }
      return other.tellsFilesApart ? count > 0 : other.hasFiles && count > 1
    }
  }

  private let tree: TreeRequest
  private let source: TreeSource
  private let failed: @Sendable (Failure) async -> Void
  private var waiting: [Directory] = []
  /// The keys of all entries so far (``RequestURL/placeKey``).
  private var visited: Set<String> = []
  /// The local paths of files, with their spellings.
  private var taken: [NameFolding.Key: String] = [:]
  /// The local paths of the files' directories.
  private var folders: Set<NameFolding.Key> = []
  /// Whether a listing has marked a directory with a slash; the server then marks all directories.
  private var marksDirectories = false
  private var report = TreeReport()
  private var listings = 0
  private var start: RequestURL { tree.request.url }

  init(_ tree: TreeRequest, _ source: TreeSource, failed: @escaping @Sendable (Failure) async -> Void) {
    (self.tree, self.source, self.failed) = (tree, source, failed)
  }

  /// Throws only if the first listing fails. Later failures are reported, and the walk continues.
  /// - Parameter found: Receives the files of each listing; its error ends the walk.
  func run(_ found: @Sendable ([TreeFile]) async throws -> Void) async throws -> TreeReport {
    let end = ContinuousClock.now.advanced(by: .seconds(tree.limits.seconds))
    let first = Directory(url: start)
    visited.insert(start.placeKey)
    try await take(try await TreeWalk.list(first, source), of: first, found)
    let together = source.takesSeveral ? tree.limits.together : 1
    try await withThrowingTaskGroup(of: (Directory, Answer).self) { group in
      var open = 0
      while true {
        while open < together, let directory = waiting.popLast() {
          if let reason = excess(end) {
            // Drop the remaining directories together, without examining each.
            waiting = []
            await fail(directory.url, reason)
            break
          }
          if directory.open == nil {
            listings += 1
            if directory.next == nil { report.directories += 1 }
          }
          open += 1
          group.addTask { [source] in (directory, await TreeWalk.answer(directory, source)) }
        }
        guard open > 0, let (directory, answer) = try await group.next() else { break }
        open -= 1
        try Task.checkCancellation()
        switch answer {
        case .listing(let part): try await take(part, of: directory, found)
        case .open(let open, let answer): try await settle(open, answer, directory, found)
        case .failure(let failure): await fail(failure)
        }
      }
    }
    return report
  }

  /// Returns the limit that was exceeded, in words; `nil` if none was.
  private func excess(_ end: ContinuousClock.Instant) -> String? {
    if listings >= tree.limits.listings {
      return "there are more than \(tree.limits.listings) listings: this one and what else is left is not read"
    }
    if report.files >= tree.limits.files {
      return "there are more than \(tree.limits.files) files: this directory and what else is left is not read"
    }
    if visited.count >= tree.limits.entries {
      return "there are more than \(tree.limits.entries) entries: this directory and what else is left is not read"
    }
    if ContinuousClock.now >= end {
      return
        "reading directories took longer than \(Int(tree.limits.seconds)) s: this one and what else is left is not read"
    }
    return nil
  }

  private static func answer(_ directory: Directory, _ source: TreeSource) async -> Answer {
    if let open = directory.open {
      return .open(open, await source.look(at: open.entry.url, hasNamesOnly: open.hasNamesOnly))
    }
    do throws(Failure) { return .listing(try await list(directory, source)) } catch { return .failure(error) }
  }

  private static func list(_ directory: Directory, _ source: TreeSource) async throws(Failure) -> ListingPart {
    var tries = 1
    while true {
      do throws(Failure) {
        return try await source.list(directory.url, directory.style, next: directory.next)
      } catch {
        let wait = error.retryAfter.map(Double.init) ?? Double(tries)
        guard error.recovery == .retry, tries < TreeWalk.tries, wait <= 60, !Task.isCancelled else { throw error }
        tries += 1
        try? await Task.sleep(for: .seconds(wait))
      }
    }
  }

  // MARK: Entries of a listing

  private func take(
    _ part: ListingPart, of directory: Directory, _ found: @Sendable ([TreeFile]) async throws -> Void
  ) async throws {
    if directory.url == start, directory.next == nil { report.directories = 1 }
    report.others += part.listing.others
    let dropped = part.listing.dropped
    if !dropped.isEmpty {
      report.dropped.merge(dropped, uniquingKeysWith: +)
      if part.listing.entries.isEmpty, directory.next == nil, part.listing.next == nil {
        await fail(directory.url, "nothing in it can be fetched: \(dropped.words)", .protocolViolation)
      }
    }
    if part.listing.unusable > 0 {
      let count = part.listing.unusable
      await fail(
        directory.url, "\(count == 1 ? "a name" : "\(count) names") in it cannot be that of a file: left out")
    }
    for url in part.listing.slashed {
      await fail(url, "an object with bytes has this name, which is that of a directory here: it is left out")
    }
    let mark = part.listing.mark(of: directory.url)
    if directory.next == nil, let mark, directory.above?.isRepeated(by: mark) == true {
      report.loops += 1
      return
    }
    let above = mark.map { Ancestors($0, directory.above) }
    if part.listing.marksDirectories { marksDirectories = true }
    var files: [TreeFile] = []
    var deeper: [Directory] = []
    for entry in part.listing.entries where visited.insert(entry.url.placeKey).inserted {
      switch TreePath.place(of: entry.url, below: start, cut: tree.cut) {
      case .outside:
        continue
      case .unusable(let reason):
        await fail(entry.url, "\(reason): it is left out")
      case .below(let path) where path.isDirectory:
        guard await enters(path, entry.url) else { continue }
        deeper.append(Directory(url: entry.url, components: path.components, style: part.style, above: above))
      case .below(let path) where isOpen(entry, path):
        guard takes(path) || mayEnter(path) else { continue }
        let open = OpenEntry(
          entry: entry, path: path, hasNamesOnly: part.listing.hasNamesOnly,
          isReserved: takes(path) && clash(path) == nil)
        deeper.append(
          Directory(
            url: entry.url.asDirectory, components: path.components, style: part.style, above: above, open: open))
      case .below(let path):
        if let file = await file(entry, path) { files.append(file) }
      }
    }
    if let next = part.listing.next {
      var more = directory
      (more.next, more.style) = (next, part.style)
      deeper.insert(more, at: 0)
    }
    waiting += deeper.reversed()
    if !files.isEmpty { try await found(files) }
  }

  /// Whether only a request can show the kind of an entry. If the server marks directories, an entry without a mark is
  /// a file.
  private func isOpen(_ entry: ListedEntry, _ path: TreePath) -> Bool {
    entry.isOpen && !marksDirectories && OpenLink.mayBeDirectory(path.components.last ?? "")
  }

  private func settle(
    _ open: OpenEntry, _ answer: OpenLinkAnswer, _ directory: Directory,
    _ found: @Sendable ([TreeFile]) async throws -> Void
  ) async throws {
    guard case .directory(let part) = answer else {
      guard let file = await file(open.entry, open.path, isReserved: open.isReserved) else { return }
      return try await found([file])
    }
    if open.isReserved { taken[tree.folding.key(open.path.path)] = nil }
    guard await enters(open.path, directory.url), visited.insert(directory.url.placeKey).inserted else { return }
    var directory = directory
    directory.open = nil
    // Without a listing, the directory waits for its turn.
    guard let part else { return waiting.append(directory) }
    listings += 1
    report.directories += 1
    try await take(part, of: directory, found)
  }

  /// Whether a directory may be entered, as far as this is known without its listing.
  private func mayEnter(_ path: TreePath) -> Bool {
    tree.filter.enters(path.components) && path.components.count < tree.depth ?? .max
  }

  /// Returns whether a directory may be entered; reports a failure if it is too deep.
  private func enters(_ path: TreePath, _ url: RequestURL) async -> Bool {
    guard mayEnter(path) else { return false }
    guard path.components.count < tree.limits.depth else {
      await fail(url, "it is more than \(tree.limits.depth) levels below the start: it is not followed")
      return false
    }
    return true
  }

  /// Whether the file is wanted.
  private func takes(_ path: TreePath) -> Bool {
    tree.filter.takes(path.components) && path.components.count <= tree.depth ?? .max
  }

  /// Returns the file; `nil` if it is not wanted, or if its local path is already taken.
  private func file(_ entry: ListedEntry, _ path: TreePath, isReserved: Bool = false) async -> TreeFile? {
    guard takes(path), report.files < tree.limits.files else { return nil }
    if !isReserved, let reason = clash(path) {
      await fail(entry.url, reason, .file)
      return nil
    }
    report.files += 1
    return TreeFile(url: entry.url, path: path, facts: entry.facts)
  }

  /// Returns why the path is taken: by another file, or by a directory; `nil` if it is free.
  private func clash(_ path: TreePath) -> String? {
    let (here, folding) = (path.path, tree.folding)
    let key = folding.key(here)
    if let other = taken[key] {
      let reason = "another file would have the same name here, \(TextSafety.escaped(other))"
      let why = folding.folds(here, other) ? ", as the directory does not tell \(folding.words) apart" : ""
      return "\(reason)\(why): it is left out"
    }
    if folders.contains(key) {
      return "a directory has the same name here, \(TextSafety.escaped(here)): it is left out"
    }
    var names = path.names.dropLast()
    while !names.isEmpty {
      let folder = names.joined(separator: "/")
      if taken[folding.key(folder)] != nil {
        return "a file has the same name here as its directory, \(TextSafety.escaped(folder)): it is left out"
      }
      guard folders.insert(folding.key(folder)).inserted else { break }
      names.removeLast()
    }
    taken[key] = here
    return nil
  }

  private func fail(_ url: RequestURL, _ reason: String, _ kind: Failure.Kind = .other) async {
    await fail(Failure(kind, url.description, reason))
  }

  private func fail(_ failure: Failure) async {
    report.failures += 1
    await failed(failure.ofNoJob)
  }
}

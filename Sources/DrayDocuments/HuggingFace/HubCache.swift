// The cache directory of the official client: blobs by their digests, and snapshots of links to them.

internal import DrayCore

/// How the files of an answer lie in the cache.
///
/// ```
/// CACHEDIR.TAG
/// .locks/models--org--name/DIGEST.lock
/// models--org--name/blobs/DIGEST
///                   refs/main                  the commit
///                   snapshots/COMMIT/dir/file  -> ../../../blobs/DIGEST
///                   trees/COMMIT.json
/// ```
package struct HubCache: Sendable, Equatable {
  static let kind = "an answer that the cache can hold"

  /// The answer with its files in the cache. Files with the same bytes are one entry with several links.
  package var answer: SourceAnswer
  /// The directories that the official client expects even before the first file is there.
  package var directories: [String]
  /// The directory of the blobs, and where programs find the files: the snapshot, or the file in it if the name is that of
  /// one file.
  package var (blobs, snapshot): (String, String)
  /// Small files, by path, that are written if they are missing.
  package var documents: [SourceAnswer.Document]

  /// The directory of a repository in the cache.
  static func directory(of name: HubName) -> String {
    "\(name.kind.rawValue)--\(name.id.replacing("/", with: "--"))"
  }

  /// Arranges an answer.
  /// - Parameters:
  ///   - asked: The name that was asked for: its branch or tag becomes a reference.
  ///   - time: When the source was asked, in seconds since 1970.
  /// - Throws: ``DocumentError`` for files without digests, which have no place in the cache.
  package init(_ answer: SourceAnswer, asked: SourceName, time: Double) throws(DocumentError) {
    let name = try HubName.parse(answer.pinned.rest)
    guard name.kind != .bucket, let commit = answer.revision, HubName.isCommit(commit) else {
      throw DocumentError(HubCache.kind, "the cache takes no files of buckets: omit --hf-cache")
    }
    let home = HubCache.directory(of: name)
    let revision = try HubName.parse(asked.rest).wantedRevision
    let note = LinkArrangement.Note(path: "\(home)/refs/\(revision)", text: commit, time: time)
    var arranged = answer
    arranged.entries = []
    var places: [String: Int] = [:]
    for entry in answer.entries {
      guard let digest = entry.file.digest?.hex, HubTree.isPath(entry.path) else {
        throw DocumentError(HubCache.kind, "the cache needs a digest of \(quote(entry.path))")
      }
      let link = "\(home)/snapshots/\(commit)/\(entry.path)"
      if let place = places[digest], case .links(var links)? = arranged.entries[place].arrangement {
        links.paths.append(link)
        arranged.entries[place].arrangement = .links(links)
        continue
      }
      places[digest] = arranged.entries.count
      var one = entry
      one.file.name = "\(home)/blobs/\(digest)"
      one.title = entry.path
      one.arrangement = .links(
        LinkArrangement(
          paths: [link], depth: 2, lock: ".locks/\(home)/\(digest).lock", note: revision == commit ? nil : note))
      arranged.entries.append(one)
    }
    self.answer = arranged
    (blobs, snapshot) = ("\(home)/blobs", "\(home)/snapshots/\(commit)")
    directories = [blobs, snapshot]
    if answer.entries.map(\.path) == [name.path] { snapshot += "/\(name.path)" }
    documents = [SourceAnswer.Document("CACHEDIR.TAG", Array(HubCache.tag.utf8))]
    documents += answer.documents.map { SourceAnswer.Document("\(home)/\($0.path)", $0.bytes) }
  }

  /// The text of the official client. Its first line is what programs look for (https://bford.info/cachedir/).
  private static let tag = """
    Signature: 8a477f597d28d172789f06886806bc55
    # This file is a cache directory tag of the cache of huggingface_hub.
    # For information about cache directory tags, see:
    #\thttps://bford.info/cachedir/

    """
}

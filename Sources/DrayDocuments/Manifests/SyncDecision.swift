// Decides what `dray sync` does with a file, from the manifest, the lock and the disk.

package import DrayCore

package enum TargetFile: Sendable, Equatable {
  case missing
  /// Not a regular file.
  case other
  /// `isPublished` is whether dray published it there from the manifest's URL.
  case file(size: Int64, digests: [DigestValue], isPublished: Bool)
}

/// How a sync uses its lock.
package enum SyncMode: Sendable {
  /// The lock says the version of a file unless the manifest asks for another file.
  case usual
  /// All files must match the lock.
  case locked
  /// The servers' versions replace the ones in the lock.
  case update
}

package enum SyncDecision: Sendable, Equatable {
  /// The file is right; nothing is fetched.
  case right
  /// `replacing` says whether there is a file to replace.
  case fetch(replacing: Bool)
  /// A file exists there that dray did not create.
  case conflict(String)
  /// Another file of the manifest has the same name in this directory, and is the one to be fetched.
  case leftOut(String)
  /// The file does not match the lock.
  case differs(String)

  /// `right`, `fetch`, `replace`, `conflict`, `left out` or `differs`.
  package var word: String {
    switch self {
    case .right: "right"
    case .fetch(let replacing): replacing ? "replace" : "fetch"
    case .conflict: "conflict"
    case .leftOut: "left out"
    case .differs: "differs"
    }
  }

  /// The reason why the file is not fetched; `nil` if it is right or fetched.
  package var reason: String? {
    switch self {
    case .right, .fetch: nil
    case .conflict(let reason), .leftOut(let reason), .differs(let reason): reason
    }
  }

  /// Returns for each target the earlier one that has the same name in a directory with this folding; `nil` if there is
  /// none.
  package static func twins(_ targets: [String], _ folding: NameFolding) -> [String?] {
    var first: [NameFolding.Key: String] = [:]
    return targets.map { target in
      let key = folding.key(target)
      guard let other = first[key], folding.folds(other, target) else {
        first[key] = first[key] ?? target
        return nil
      }
      return other
    }
  }

  /// - Parameters:
  ///   - file: The file in the manifest.
  ///   - lock: Its entry in the lock.
  ///   - local: The file on disk. Its digests are a SHA-256, and one with the algorithm in the manifest.
  package static func decide(
    _ file: Manifest.File, lock: SyncLock.Entry?, local: TargetFile, _ mode: SyncMode
  ) -> SyncDecision {
    if mode == .locked { return locked(file, lock, local) }
    let pin = mode == .update ? nil : pin(of: file, lock)
    switch local {
    case .missing:
      return .fetch(replacing: false)
    case .other:
      return .conflict("it exists and is not a regular file")
    case .file(let size, let digests, _) where pin != nil:
      return pin.map { $0.size == size && digests.contains($0.digest) } ?? false ? .right : .fetch(replacing: true)
    case .file(let size, let digests, let isPublished):
      let isAsWritten = file.digest.map(digests.contains) ?? true && file.size ?? size == size
      let isDeclared = file.digest != nil && isAsWritten
      let isLocal = lock.map { $0.url == shown(file) && digests.contains($0.digest) } ?? false
      if isDeclared || isAsWritten && (isPublished || isLocal) { return .right }
      // A file that is named by its digest and has other bytes is damaged.
      return isPublished || lock != nil || file.isNamedByDigest
        ? .fetch(replacing: true) : .conflict("it exists, and dray did not put it there")
    }
  }

  /// Returns the entry of the lock that says which version a file must have; `nil` if the manifest was changed and asks
  /// for another file.
  package static func pin(of file: Manifest.File, _ lock: SyncLock.Entry?) -> SyncLock.Entry? {
    guard let lock, lock.url == shown(file), file.size ?? lock.size == lock.size else { return nil }
    guard let digest = file.digest else { return lock }
    return [lock.digest, lock.manifestDigest].contains(digest) ? lock : nil
  }

  private static func locked(_ file: Manifest.File, _ lock: SyncLock.Entry?, _ local: TargetFile) -> SyncDecision {
    guard let lock else { return .differs("it is in the manifest, but not in the lock") }
    guard lock.url == shown(file) else {
      return .differs("its URL is \(shown(file)), but \(lock.url) in the lock")
    }
    let known = [lock.digest, lock.manifestDigest].compactMap(\.self)
    if let digest = file.digest, !known.contains(digest) {
      return .differs("its digest is \(digest), but \(known.last?.description ?? "unknown") in the lock")
    }
    if let size = file.size, size != lock.size {
      return .differs("its size is \(size), but \(lock.size) in the lock")
    }
    switch local {
    case .missing: return .fetch(replacing: false)
    case .other: return .differs("it exists and is not a regular file")
    case .file(let size, _, _) where size != lock.size:
      return .differs("the existing file has \(size) bytes, but \(lock.size) in the lock")
    case .file(_, let digests, _) where digests.contains(lock.digest): return .right
    case .file(_, let digests, _):
      let found = digests.first { $0.algorithm == .sha256 }
      return .differs(
        "the existing file has the digest \(found?.description ?? "something else"), but \(lock.digest) in the lock")
    }
  }

  /// The origin of a file in a lock: its URL or, because the URLs of sources change, the name and the path in it.
  package static func shown(_ file: Manifest.File) -> String {
    file.source.map { "\($0.shownName): \($0.path)" } ?? file.urls.first?.description ?? ""
  }
}

// What `dray sync` does with one file: a pure decision from manifest, lock and disk.

public import DrayCore

/// What is on disk at the place of a file.
public enum LocalFile: Sendable, Equatable {
  case missing
  /// Something that is not a regular file.
  case other
  /// A file, with its digests, and whether dray itself published it there from the manifest's URL.
  case file(size: Int64, digests: [DigestValue], isPublished: Bool)
}

/// What to do with a file.
public enum SyncDecision: Sendable, Equatable {
  /// It matches: nothing is fetched.
  case right
  /// It is fetched. An existing file is replaced if `replacing` is set.
  case fetch(replacing: Bool)
  /// Something exists there that dray did not create.
  case conflict(String)
  /// It does not match the lock.
  case differs(String)

  /// The decision as one word: right, fetch, replace, conflict or differs.
  public var word: String {
    switch self {
    case .right: "right"
    case .fetch(let replacing): replacing ? "replace" : "fetch"
    case .conflict: "conflict"
    case .differs: "differs"
    }
  }

  /// The reason why the file is not fetched; `nil` if it is right or fetched.
  public var reason: String? {
    switch self {
    case .right, .fetch: nil
    case .conflict(let reason), .differs(let reason): reason
    }
  }

  /// Decides.
  /// - Parameters:
  ///   - file: the file of the manifest.
  ///   - lock: its entry in the lock.
  ///   - local: what is on disk; its digests are a SHA-256, and one of the algorithm that the manifest names.
  ///   - isLocked: whether everything must match the lock.
  public static func decide(
    _ file: Manifest.File, lock: SyncLock.Entry?, local: LocalFile, isLocked: Bool
  ) -> SyncDecision {
    if isLocked { return locked(file, lock, local) }
    switch local {
    case .missing:
      return .fetch(replacing: false)
    case .other:
      return .conflict("it exists and is not a regular file")
    case .file(let size, let digests, let isPublished):
      let isAsWritten = file.digest.map(digests.contains) ?? true && file.size ?? size == size
      let isDeclared = file.digest != nil && isAsWritten
      let isLocal = lock.map { $0.url == shown(file) && digests.contains($0.digest) } ?? false
      if isDeclared || isAsWritten && (isPublished || isLocal) { return .right }
      return isPublished || lock != nil
        ? .fetch(replacing: true) : .conflict("it exists, and dray did not put it there")
    }
  }

  private static func locked(_ file: Manifest.File, _ lock: SyncLock.Entry?, _ local: LocalFile) -> SyncDecision {
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

  /// The URL of a file as written in a lock.
  public static func shown(_ file: Manifest.File) -> String { file.urls.first?.description ?? "" }
}

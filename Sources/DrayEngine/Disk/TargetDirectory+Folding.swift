// Finds out by trial how a directory compares names, once for each directory.

internal import DrayCore
internal import FoundationEssentials
internal import Posix
internal import Synchronization

extension TargetDirectory {
  /// The known results, by device and inode; directories of one file system may differ.
  private static let known = Mutex<[[UInt64]: NameFolding]>([:])

  /// How the directory compares names that differ in case or Unicode form. If the file system does not report this, an
  /// empty file is created to find out. If no file can be created, the directory is assumed to distinguish all names.
  var folding: NameFolding {
    if let known = TargetDirectory.known.withLock({ $0[node] }) { return known }
    let tried = tryFolding()
    TargetDirectory.known.withLock { $0[node] = tried }
    return tried
  }

  private func tryFolding() -> NameFolding {
    if fileSystem.isNative {
      // Directories that ignore case are marked, and also normalize names.
      let isMarked = LinuxDirectory.isMarkedAsFolding(descriptor)
      return NameFolding(foldsCase: isMarked, normalizes: isMarked)
    }
    let start = ".\(UUID().uuidString.lowercased())"
    // Use the composed and the decomposed form of a letter; some file systems accept only ASCII.
    let (composed, decomposed) = (start + "\u{E9}.part", start + "e\u{301}.part")
    for name in [composed, start + ".part"] {
      guard let file = try? System.open(name, in: descriptor, .new, mode: 0o600) else { continue }
      System.close(file)
      defer { try? System.unlink(name, in: descriptor) }
      return NameFolding(
        foldsCase: exists(name.uppercased()), normalizes: name == composed && exists(decomposed))
    }
    return .none
  }

  /// Returns the spelling that the directory uses for a name, if it differs from `name`.
  func otherSpelling(of name: String) -> String? {
    let folding = folding
    guard folding != .none, let names = try? names() else { return nil }
    guard !names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else { return nil }
    return names.first { folding.folds($0, name) }
  }
}

// Finds out how a directory compares names, by trying, once for each directory.

internal import DrayCore
internal import FoundationEssentials
internal import Posix
internal import Synchronization

extension TargetDirectory {
  /// What is known, by device and inode, because directories of one file system may differ.
  private static let known = Mutex<[[UInt64]: NameFolding]>([:])

  /// How the directory compares names. If the file system does not tell, an empty file is created to find out. If no
  /// file can be created, the directory counts as folding nothing.
  var folding: NameFolding {
    if let known = TargetDirectory.known.withLock({ $0[node] }) { return known }
    let tried = tryFolding()
    TargetDirectory.known.withLock { $0[node] = tried }
    return tried
  }

  private func tryFolding() -> NameFolding {
    if fileSystem.isNative {
      // Directories that fold names are marked, and normalize names as well.
      let isMarked = LinuxDirectory.isMarkedAsFolding(descriptor)
      return NameFolding(foldsCase: isMarked, normalizes: isMarked)
    }
    let start = ".\(UUID().uuidString.lowercased())"
    // The composed and the decomposed form; some file systems accept ASCII only.
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

  /// Returns the directory's spelling of a name, if it differs.
  func otherSpelling(of name: String) -> String? {
    let folding = folding
    guard folding != .none, let names = try? names() else { return nil }
    guard !names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else { return nil }
    return names.first { folding.folds($0, name) }
  }
}

// Finds out by trial what a directory's file system can do.

package import DrayCore
internal import FoundationEssentials
package import Posix

extension TargetDirectory {
  /// Tries the abilities with temporary files.
  /// - Throws: An error if no file can be created.
  package func tryOut() throws(SystemError) -> DirectoryAbilities {
    let names = (0..<3).map { _ in ".\(UUID().uuidString).part" }
    let file = try System.open(names[0], in: descriptor, .new, mode: 0o600, as: "create")
    defer {
      System.close(file)
      for name in names { try? System.unlink(name, in: descriptor) }
    }
    let length: Int64 = 4 << 20
    let hasHoles =
      (try? System.write(Array("x".utf8), to: file, at: length - 1)) != nil
      && (try? System.status(file)).map { $0.allocated < length / 2 } ?? false
    let hasLinks = (try? System.link(names[0], to: names[1], in: descriptor)) != nil
    if !hasLinks, let other = try? System.open(names[1], in: descriptor, .new, mode: 0o600) { System.close(other) }
    // An exclusive rename must fail if the new name is taken, and succeed if the name is free.
    func refusal(of name: String) -> Int32? {
      do throws(SystemError) {
        try LinuxDirectory.renameExclusively(names[0], in: descriptor, to: name, in: descriptor)
        return nil
      } catch { return error.code }
    }
    let refuses = refusal(of: names[1]) == SystemError.exists
    let renames = refusal(of: names[2]) == nil
    return DirectoryAbilities(
      freeSpace: freeSpace, hasLinks: hasLinks, renamesExclusively: refuses && renames, hasHoles: hasHoles,
      canBeSynced: fileSystem.canBeSynced)
  }
}

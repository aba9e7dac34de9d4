// Makes the files of a group durable, and with them the names of the group before: the syncs that groups share.

internal import DrayEngine
internal import Posix

/// Syncs groups of files, each file system in the way that was the quicker one lately.
struct GroupSync {
  /// Whether anything is synced at all (`--no-sync`).
  let isWanted: Bool
  private var choices: [FileSystem: SyncChoice] = [:]

  init(isWanted: Bool) { self.isWanted = isWanted }

  /// Makes the bytes of `group` durable, and the names that `renamed` was given. Blocks.
  mutating func sync(_ group: inout PublishGroup, _ renamed: inout PublishGroup) {
    guard isWanted else { return }
    for (fileSystem, (directory, files)) in group.fileSystems {
      if takesFileSystem(fileSystem, files: files), sync(fileSystem, by: directory) {
        renamed.namesAreDurable(on: fileSystem)
        group.checkWriteBack(on: fileSystem)
      } else {
        let start = SteadyClock.now()
        group.syncFiles(on: fileSystem)
        choices[fileSystem, default: SyncChoice()].note(files: files, SteadyClock.now() - start)
      }
    }
    renamed.syncDirectories()
  }

  /// Makes the names durable that `renamed` was given. Blocks.
  func syncNames(_ renamed: inout PublishGroup) {
    if isWanted { renamed.syncDirectories() }
  }

  private mutating func takesFileSystem(_ fileSystem: FileSystem, files: Int) -> Bool {
    fileSystem.canBeSynced && choices[fileSystem, default: SyncChoice()].takesFileSystem(files: files)
  }

  /// - Returns: whether that was done. Where it was not, each file reports its own error.
  private mutating func sync(_ fileSystem: FileSystem, by directory: TargetDirectory) -> Bool {
    let start = SteadyClock.now()
    do throws(SystemError) { try directory.syncFileSystem() } catch { return false }
    choices[fileSystem, default: SyncChoice()].note(fileSystem: SteadyClock.now() - start)
    return true
  }
}

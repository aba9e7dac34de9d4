// Makes the files of a group durable, and with them the names of the group before: the syncs that groups share.

internal import DrayEngine
internal import Threads

/// Syncs groups of files, each volume in the way that was the quicker one lately.
struct GroupSync {
  /// Whether anything is synced at all (`--no-sync`).
  let isWanted: Bool
  private var choices: [Volume: SyncChoice] = [:]

  init(isWanted: Bool) { self.isWanted = isWanted }

  /// Makes the bytes of `group` durable, and the names that `renamed` was given. Blocks.
  mutating func sync(_ group: inout PublishGroup, _ renamed: inout PublishGroup) {
    guard isWanted else { return }
    for (volume, (destination, files)) in group.volumes {
      if takesVolume(volume, files: files), sync(volume, by: destination) {
        renamed.namesAreDurable(on: volume)
        group.checkWriteBack(on: volume)
      } else {
        let start = SteadyClock.now()
        group.syncFiles(on: volume)
        choices[volume, default: SyncChoice()].note(files: files, SteadyClock.now() - start)
      }
    }
    renamed.syncNames()
  }

  /// Makes the names durable that `renamed` was given. Blocks.
  func syncNames(_ renamed: inout PublishGroup) {
    if isWanted { renamed.syncNames() }
  }

  private mutating func takesVolume(_ volume: Volume, files: Int) -> Bool {
    volume.canBeSynced && choices[volume, default: SyncChoice()].takesFileSystem(files: files)
  }

  /// - Returns: whether that was done. Where it was not, each file reports its own error.
  private mutating func sync(_ volume: Volume, by destination: any Destination) -> Bool {
    let start = SteadyClock.now()
    do throws(Failure) { try destination.syncVolume() } catch { return false }
    choices[volume, default: SyncChoice()].note(fileSystem: SteadyClock.now() - start)
    return true
  }
}

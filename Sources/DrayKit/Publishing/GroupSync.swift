// Makes the files of a group durable, together with the names of the previous group, so that groups share syncs.

internal import DrayEngine
internal import Threads

/// For each volume, the faster way of syncing is chosen, by recent measurements.
struct GroupSync {
  /// Whether to sync at all; `false` with `--no-sync`.
  let isWanted: Bool
  private var choices: [Volume: SyncChoice] = [:]

  init(isWanted: Bool) { self.isWanted = isWanted }

  /// Makes the bytes of `group` durable, and the new names of `renamed`. The call blocks the calling thread.
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

  /// Makes names durable. The call blocks the calling thread.
  func syncNames(_ renamed: inout PublishGroup) {
    if isWanted { renamed.syncNames() }
  }

  private mutating func takesVolume(_ volume: Volume, files: Int) -> Bool {
    volume.canBeSynced && choices[volume, default: SyncChoice()].takesFileSystem(files: files)
  }

  /// Returns whether the sync succeeded. If the sync failed, each file reports its own error.
  private mutating func sync(_ volume: Volume, by destination: any Destination) -> Bool {
    let start = SteadyClock.now()
    do throws(Failure) { try destination.syncVolume() } catch { return false }
    choices[volume, default: SyncChoice()].note(fileSystem: SteadyClock.now() - start)
    return true
  }
}

// Checks a part file that belongs to no job of this store, before the file is removed.

package import DrayCore
internal import FoundationEssentials
public import Posix

/// An open file with a part file's name, locked unless it is in use.
public final class StrayPart {
  private let directory: TargetDirectory
  private let name: String
  private let descriptor: Int32

  /// Opens the file; the result is `nil` if the file no longer exists or is not regular.
  /// - Throws: ``SystemError`` if it cannot be opened.
  public init?(_ name: String, in directory: TargetDirectory) throws(SystemError) {
    func open(_ mode: OpenFlags) throws(SystemError) -> Int32 {
      try System.open(name, in: directory.descriptor, mode.union([.noFollow, .nonBlocking]))
    }
    let opened: Int32
    do throws(SystemError) {
      // On some file systems, a file can be locked exclusively only if it is open for writing.
      do throws(SystemError) { opened = try open(.both) } catch {
        guard error.code == SystemError.noAccess || error.code == SystemError.notPermitted else { throw error }
        opened = try open(.reading)
      }
    } catch {
      let absent = [SystemError.noEntry, SystemError.linkInTheWay, SystemError.isDirectory, SystemError.noPlace]
      if absent.contains(error.code) { return nil }
      throw error
    }
    guard (try? System.status(opened))?.isRegular ?? false else {
      System.close(opened)
      return nil
    }
    (self.directory, self.name, descriptor) = (directory, name, opened)
  }

  deinit { System.unlockAndClose(descriptor) }

  /// Returns the facts about the file at the time `now`, in seconds since 1970.
  /// - Parameter store: The path of this store's state directory.
  package func facts(store: String, now: Double) -> StrayFacts {
    guard let status = try? System.status(descriptor) else { return StrayFacts(lock: .unknown) }
    let lock: StrayFacts.Lock = (try? System.tryLock(descriptor)).map { $0 ? .free : .held } ?? .unknown
    let owner = PartLabel.owner(of: descriptor).map { owner -> StrayFacts.Owner in
      let (own, present) = (PartLabel.node(of: store), PartLabel.presence(of: owner.path, own: store))
      if PartOwnership.isAnothers(owner, own: own, present: present) { return .store(owner.path, exists: true) }
      return present == .gone ? .store(owner.path, exists: false) : .thisStore
    }
    return StrayFacts(
      lock: lock, owner: owner ?? .unknown,
      isOfAnotherUser: directory.fileSystem.keepsOwners && status.owner != System.effectiveUserID,
      age: now - Double(status.modified.seconds))
  }

  /// Whether the label of the file names another job than its file name does.
  public var isOfAnotherJob: Bool {
    guard let label = PartLabel.job(of: descriptor) else { return false }
    return label != Job.ofPartFile(named: name)?.uuidString
  }

  /// Removes the file if its name still belongs to it. Returns whether it was removed.
  public func remove() throws(SystemError) -> Bool {
    guard let here = try? System.status(descriptor),
      let there = try? System.status(name, in: directory.descriptor), here.isSame(as: there)
    else { return false }
    try directory.remove(name)
    return true
  }
}

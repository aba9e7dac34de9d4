// Records the owner of a part file on the file itself, so that another store's `dray clean` recognizes it (P17).

internal import DrayCore
internal import FoundationEssentials
internal import Posix
internal import Synchronization

/// The label of an open part file: its job store and its job, as extended attributes, if the file system has them. The
/// label contains no secrets, and is removed before the file becomes the target.
final class PartLabel: Sendable {
  private enum State {
    case absent, there, maybe
    /// The label was removed for good, unless the publish fails.
    case off
  }

  /// The path of the store's state directory, or the name of a store that machines share.
  private let store: String?
  private let state: Mutex<State>

  /// - Parameter mayBeThere: Whether the file existed before, so that it may already have a label.
  init(store: String? = nil, mayBeThere: Bool = false) {
    self.store = store
    state = Mutex(mayBeThere ? .maybe : .absent)
  }

  /// Labels the file. This is called once bytes are recorded, not earlier, because for small files a label would cost
  /// too much.
  func put(on descriptor: Int32, _ name: String) {
    state.withLock { state in
      guard state == .absent || state == .maybe else { return }
      PartLabel.write(store, on: descriptor, name)
      state = .there
    }
  }

  func remove(from descriptor: Int32) {
    state.withLock { state in
      if state == .there || state == .maybe {
        for name in [PartLabel.storeName, PartLabel.nodeName, PartLabel.jobName] {
          LinuxFile.removeAttribute(name, of: descriptor)
        }
      }
      state = .off
    }
  }

  /// Records that a new file without a label has replaced this one.
  func beginAnew() { state.withLock { $0 = .absent } }

  func putBack(on descriptor: Int32, _ name: String) {
    state.withLock { state in
      guard state == .off else { return }
      PartLabel.write(store, on: descriptor, name)
      state = .there
    }
  }

  private static let storeName = "user.dray.store"
  private static let nodeName = "user.dray.node"
  private static let jobName = "user.dray.job"

  private static func write(_ store: String?, on descriptor: Int32, _ name: String) {
    guard let store, let job = Job.ofPartFile(named: name) else { return }
    let node = PartLabel.node(of: store).map { "\($0)" } ?? ""
    for (name, value) in [(storeName, store), (nodeName, node), (jobName, job.uuidString)] {
      try? LinuxFile.setAttribute(name, value, of: descriptor)
    }
  }

  /// Returns the owner that the label names; `nil` if the file has no label.
  static func owner(of descriptor: Int32) -> PartOwner? {
    LinuxFile.attribute(storeName, of: descriptor).map {
      PartOwner(path: $0, node: LinuxFile.attribute(nodeName, of: descriptor).flatMap { UInt64($0) })
    }
  }

  static func owner(at path: String) -> PartOwner? {
    guard let descriptor = try? System.open(path, [.reading, .noFollow, .nonBlocking]) else { return nil }
    defer { System.close(descriptor) }
    return owner(of: descriptor)
  }

  /// Whether a file's label names an existing store other than `own`, the path of a state directory.
  static func isAnothers(_ descriptor: Int32, own: String?) -> Bool {
    guard let owner = owner(of: descriptor) else { return false }
    return PartOwnership.isAnothers(owner, own: own.flatMap(node), present: presence(of: owner.path, own: own))
  }

  /// Returns whether a store exists in the state directory at `path`, and whether it is `own`.
  static func presence(of path: String, own: String?) -> PartOwnership.Presence {
    if let own, path == own { return .own }
    // This machine cannot tell whether a store that machines share still exists.
    if PartOwnership.isShared(path) { return .another(nil) }
    if let own, isSame(path, own) { return .own }
    do throws(SystemError) { return .another(try System.node(PathText.join(path, "dray.sqlite")).inode) } catch {
      return error.isMissing ? .gone : .another(nil)
    }
  }

  static func node(of store: String) -> UInt64? {
    guard !PartOwnership.isShared(store) else { return nil }
    return (try? System.node(PathText.join(store, "dray.sqlite")))?.inode
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    guard let first = try? System.node(one), let second = try? System.node(other) else { return false }
    return first.isSame(as: second)
  }

  /// Returns the UUID of the job that a file's label names, as text; `nil` if the file has no label.
  static func job(of descriptor: Int32) -> String? { LinuxFile.attribute(jobName, of: descriptor) }
}

extension PartFile {
  public func putLabel() { label.put(on: descriptor, name) }
}

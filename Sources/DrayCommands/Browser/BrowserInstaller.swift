// Registers dray with browsers, and takes that back. Files of other programs are left alone (P17).

internal import DrayDocuments
internal import DrayKit
internal import Posix

struct BrowserInstaller {
  let places: BrowserPlaces

  /// What became of a file.
  enum Outcome: Equatable {
    case written
    case unchanged
    case removed
    /// Another program's file.
    case left(String)
  }

  /// Writes the script.
  /// - Throws: Kind `file` if another program's file has its name.
  func write(_ launcher: BrowserLauncher) throws(Failure) -> Outcome {
    switch System.kind(places.launcher) {
    case .missing: break
    case .file:
      let present = try text(places.launcher)
      guard BrowserLauncher.isOwn(present) else {
        throw Failure(
          .file, places.launcher, "another program wrote this file", advice: "move it away, and try again",
          recovery: .keep)
      }
      if present == launcher.text, isExecutable(places.launcher) { return .unchanged }
    case .directory, .other, .unreadable:
      throw Failure(.file, places.launcher, "it is not a file", advice: "move it away, and try again", recovery: .keep)
    }
    // A browser may start the script at any moment, so it is replaced in one step.
    try replace(places.launcher, launcher.text, mode: 0o755)
    return .written
  }

  /// Registers dray at a place.
  func register(_ place: BrowserRegistration, _ extensions: [String]) throws(Failure) -> Outcome {
    let manifest = BrowserManifest(place.family, path: places.launcher, others: extensions)
    switch place.state {
    case .foreign(let reason): return .left(reason)
    case .own(manifest): return .unchanged
    case .own, .missing: break
    }
    try replace(place.path, manifest.text, mode: 0o644)
    return .written
  }

  /// Removes a manifest. Its directory stays, because the browser looks there for others.
  func unregister(_ place: BrowserRegistration) throws(Failure) -> Outcome {
    switch place.state {
    case .missing: return .unchanged
    case .foreign(let reason): return .left(reason)
    case .own: break
    }
    try remove(place.path)
    return .removed
  }

  /// Removes the script.
  func removeLauncher() throws(Failure) -> Outcome {
    guard System.kind(places.launcher) == .file else { return .unchanged }
    guard BrowserLauncher.isOwn(try text(places.launcher)) else { return .left("another program wrote it") }
    try remove(places.launcher)
    return .removed
  }

  // MARK: Files

  private func text(_ path: String) throws(Failure) -> String {
    do throws(SystemError) {
      return String(decoding: try System.read(path, limit: BrowserManifest.longest), as: UTF8.self)
    } catch {
      throw Failure(.file, path, "it cannot be read: \(error.text)", recovery: .keep)
    }
  }

  private func isExecutable(_ path: String) -> Bool {
    (try? System.ownership(of: path)).map { $0.mode & 0o100 != 0 } ?? false
  }

  private func remove(_ path: String) throws(Failure) {
    guard !System.remove(path) else { return }
    throw Failure(
      .file, path, "it cannot be removed", advice: "check the permissions of its directory", recovery: .keep)
  }

  private func replace(_ path: String, _ text: String, mode: UInt32) throws(Failure) {
    let new = "\(path).\(System.processID).new"
    do throws(SystemError) {
      try System.makeDirectories(PathText.directory(of: path), mode: 0o755)
      System.remove(new)
      let descriptor = try System.create(new, mode: mode)
      defer { System.close(descriptor) }
      try System.write(text.utf8, to: descriptor)
      try System.rename(new, to: path)
    } catch {
      System.remove(new)
      throw Failure(
        .file, path, "it cannot be written: \(error.text)", advice: "check the permissions of its directory",
        recovery: .keep)
    }
  }
}

// Registers dray with browsers, and takes that back. Files of other programs are left alone (P17).

internal import DrayDocuments
internal import DrayKit
internal import Posix

struct BrowserInstaller {
  let places: BrowserPlaces

  /// The outcome for a file.
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

  // MARK: The data directories

  /// Adds data directories to the list, before their manifests are written.
  /// - Throws: Kind `file` if another program's file has its name.
  func remember(_ data: [String]) throws(Failure) {
    let others = data.filter { !places.isUsual($0) }
    guard !others.isEmpty else { return }
    var list = BrowserDirectories()
    switch System.kind(places.directories) {
    case .missing: break
    case .file:
      guard let present = BrowserDirectories(try text(places.directories, BrowserDirectories.longest).utf8) else {
        throw Failure(
          .file, places.directories, "it is no list of directories", advice: "move it away, and try again",
          recovery: .keep)
      }
      list = present
    case .directory, .other, .unreadable:
      throw Failure(
        .file, places.directories, "it is not a file", advice: "move it away, and try again", recovery: .keep)
    }
    let before = list
    for path in others { list.add(path) }
    if list != before { try replace(places.directories, list.text, mode: 0o644) }
  }

  /// Drops the data directories in which no manifest of dray is left. The list goes with the last of them.
  func forget() throws(Failure) {
    let before = places.remembered
    var list = before
    list.keep { if case .own = places.manifest(inData: $0).state { true } else { false } }
    guard list != before else { return }
    guard !list.paths.isEmpty else { return try remove(places.directories) }
    try replace(places.directories, list.text, mode: 0o644)
  }

  // MARK: The script

  /// Removes the script, unless a browser starts it.
  func removeLauncher() throws(Failure) -> Outcome {
    guard !places.registrations().contains(where: { $0.starts(places.launcher) }) else { return .unchanged }
    guard System.kind(places.launcher) == .file else { return .unchanged }
    guard BrowserLauncher.isOwn(try text(places.launcher)) else { return .left("another program wrote it") }
    try remove(places.launcher)
    return .removed
  }

  // MARK: Files

  private func text(_ path: String, _ limit: Int = BrowserManifest.longest) throws(Failure) -> String {
    do throws(SystemError) {
      return String(decoding: try System.read(path, limit: limit), as: UTF8.self)
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

// Opens directories of this machine as destinations.

package import DrayCore
internal import FoundationEssentials
internal import Posix

package struct LocalDestinations: Destinations {
  private let store: String?
  private let fence: WriteFence?

  /// - Parameters:
  ///   - store: The label of the job store, for part files.
  ///   - fence: Stops the writes of a runner whose lease may be over.
  package init(store: String?, fence: WriteFence? = nil) { (self.store, self.fence) = (store, fence) }

  package func find(_ place: DirectoryPlace) throws(Failure) -> (any Destination)? {
    guard let directory = try LocalDestinations.existing(place) else { return nil }
    // If the directory for unfinished files is missing, no unfinished files exist.
    let parts = try place.parts == nil ? nil : LocalDestinations.existing(place.partPlace)
    return LocalDestination(directory, parts: parts, store: store, fence: fence)
  }

  /// Returns an existing directory; `nil` if it does not exist.
  private static func existing(_ place: DirectoryPlace) throws(Failure) -> TargetDirectory? {
    do throws(SystemError) { return try TargetDirectory(place) } catch {
      if error.isMissing { return nil }
      throw error.failure(place.path)
    }
  }

  package func open(_ place: DirectoryPlace, create: Bool) throws(Failure) -> any Destination {
    let directory = try failing(on: place.path) { () throws(SystemError) in
      let directory = try TargetDirectory(place, create: create)
      try directory.checkRenaming()
      return directory
    }
    return LocalDestination(directory, parts: try openParts(of: place, create: create), store: store, fence: fence)
  }

  /// Returns the directory of unfinished files; `nil` if it is the same as the target's.
  private func openParts(of place: DirectoryPlace, create: Bool) throws(Failure) -> TargetDirectory? {
    guard let path = place.parts else { return nil }
    do throws(SystemError) { return try TargetDirectory(place.partPlace, create: create) } catch {
      var failure = error.failure(path)
      let refusals = [SystemError.noAccess, SystemError.notPermitted, SystemError.readOnly]
      if error.isMissing || refusals.contains(error.code) {
        failure.advice = "choose another directory with \(.partDirectory)"
      }
      throw failure
    }
  }

  package func check(_ place: DirectoryPlace) throws(Failure) -> (any Destination)? {
    let directory = try LocalDestinations.check(place.alone, "choose another with \(.directory)")
    guard place.parts != nil else { return directory.map { LocalDestination($0, store: store, fence: fence) } }
    _ = try LocalDestinations.check(place.partPlace, "choose another with \(.partDirectory)")
    return try directory == nil ? nil : find(place)
  }

  /// Checks whether files can be written into a directory; the directory may still have to be created.
  /// - Returns: The directory, if it exists.
  private static func check(_ place: DirectoryPlace, _ advice: Advice) throws(Failure) -> TargetDirectory? {
    var existing = place
    while !LocalDestinations.isThere(existing), existing.path != "/" { existing = existing.parent }
    var directory: TargetDirectory?
    if existing == place || existing.foreignDepth > 0 {
      directory = try failing(on: existing.path) { () throws(SystemError) in try TargetDirectory(existing) }
    }
    guard FileManager.default.isWritableFile(atPath: existing.path) else {
      throw Failure(.file, existing.path, "this directory is not writable", advice: advice, recovery: .keep)
    }
    return existing == place ? directory : nil
  }

  /// Whether anything has this path, including a dangling link, if the user did not name that link.
  private static func isThere(_ place: DirectoryPlace) -> Bool {
    FileManager.default.fileExists(atPath: place.path)
      || place.foreignDepth > 0 && (try? FileManager.default.attributesOfItem(atPath: place.path)) != nil
  }

  package func discardParts(_ names: [String], at place: DirectoryPlace) -> [String: Failure] {
    guard place.parts != nil else { return discard(names.map { ($0, $0) }, at: place) }
    // The part file may be in either directory, and may have a copy.
    let files: [(name: String, part: String)] = names.flatMap {
      [(name: $0, part: $0), (name: PartName.copy(of: $0), part: $0)]
    }
    return discard(files, at: place.partPlace).merging(discard(files, at: place.alone)) { first, _ in first }
  }

  private func discard(_ files: [(name: String, part: String)], at place: DirectoryPlace) -> [String: Failure] {
    var failures: [String: Failure] = [:]
    do throws(SystemError) {
      let directory = try TargetDirectory(place)
      let present = files.filter { directory.exists($0.name) }
      for (name, part) in present {
        do throws(SystemError) { try PartFile.remove(name, in: directory, store: store) } catch {
          // A file of another store stays (P17).
          if !error.isOfAnother { failures[part] = error.failure(PathText.join(place.path, name)) }
        }
      }
      if !present.isEmpty { try directory.sync() }
    } catch {
      // If a link is now in the directory's place, the files behind the link never belonged to the job (P6).
      guard !error.isMissing, error.code != SystemError.linkInTheWay else { return failures }
      for (_, part) in files { failures[part] = error.failure(place.path) }
    }
    return failures
  }
}

// Opens directories of this machine as destinations.

package import DrayCore
internal import FoundationEssentials
internal import Glibc
internal import Posix

/// The local disk.
package struct LocalDestinations: Destinations {
  private let store: String?

  /// - Parameter store: the path of the state directory whose jobs it serves, for the labels of part files.
  package init(store: String?) { self.store = store }

  package func find(_ place: DirectoryPlace) throws(Failure) -> (any Destination)? {
    do throws(SystemError) { return LocalDestination(try TargetDirectory(place), store: store) } catch {
      if [ENOENT, ENOTDIR].contains(error.code) { return nil }
      throw error.failure(place.path)
    }
  }

  package func open(_ place: DirectoryPlace, create: Bool) throws(Failure) -> any Destination {
    let directory = try failing(on: place.path) { () throws(SystemError) in
      let directory = try TargetDirectory(place, create: create)
      try directory.checkRenaming()
      return directory
    }
    return LocalDestination(directory, store: store)
  }

  package func check(_ place: DirectoryPlace) throws(Failure) -> (any Destination)? {
    var existing = place
    while !LocalDestinations.isThere(existing), existing.path != "/" { existing = existing.parent }
    var directory: TargetDirectory?
    if existing == place || existing.foreignDepth > 0 {
      directory = try failing(on: existing.path) { () throws(SystemError) in try TargetDirectory(existing) }
    }
    guard FileManager.default.isWritableFile(atPath: existing.path) else {
      throw Failure(
        .file, existing.path, "this directory is not writable", advice: "choose another with \(.directory)",
        recovery: .keep)
    }
    return existing == place ? directory.map { LocalDestination($0, store: store) } : nil
  }

  /// Whether anything is there. Below what the user named, a link that leads nowhere counts, too.
  private static func isThere(_ place: DirectoryPlace) -> Bool {
    FileManager.default.fileExists(atPath: place.path)
      || place.foreignDepth > 0 && (try? FileManager.default.attributesOfItem(atPath: place.path)) != nil
  }

  package func discardParts(_ names: [String], at place: DirectoryPlace) -> [String: Failure] {
    var failures: [String: Failure] = [:]
    do throws(SystemError) {
      let directory = try TargetDirectory(place)
      let present = names.filter(directory.exists)
      for name in present {
        do throws(SystemError) { try PartFile.remove(name, in: directory, store: store) } catch {
          // Another store's file stays (P17).
          if !error.isOfAnother { failures[name] = error.failure(PathText.join(place.path, name)) }
        }
      }
      if !present.isEmpty { try directory.sync() }
    } catch {
      // If a link took the place of the directory, its target was never the job's (P6).
      guard ![ENOENT, ENOTDIR, ELOOP].contains(error.code) else { return failures }
      for name in names { failures[name] = error.failure(place.path) }
    }
    return failures
  }
}

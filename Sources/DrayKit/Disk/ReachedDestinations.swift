// Refuses directories that only some machines of a shared store can reach, and shares that do not work on this machine.

internal import DrayEngine
internal import Posix

/// Opens only destinations that every machine of the store can reach.
struct ReachedDestinations: Destinations {
  let base: any Destinations
  let rule: TargetReach
  let shares: Shares

  private func check(reach place: DirectoryPlace) throws(Failure) {
    for path in [place.path, place.parts].compactMap(\.self) {
      // A mark proves more than the kind of the file system does.
      if path.hasPrefix("/"), try shares.prove(path) { continue }
      let kind: String?
      do throws(SystemError) { kind = path.hasPrefix("/") ? try System.fileSystemKind(path) : nil } catch {
        // The server of the mount does not answer here, but another machine may reach it.
        throw Failure(
          .file, path, "it cannot be examined: \(error.text)", advice: "check its mount, then try again",
          recovery: .wait)
      }
      if let objection = rule.objection(to: path, kind: kind, exists: { System.kind($0) == .directory }) {
        throw objection
      }
    }
  }

  func find(_ place: DirectoryPlace) throws(Failure) -> (any Destination)? {
    // While the share is not mounted, a missing file proves nothing.
    if let refusal = shares.refusal(of: place) { throw refusal }
    return try base.find(place)
  }

  func open(_ place: DirectoryPlace, create: Bool) throws(Failure) -> any Destination {
    try check(reach: place)
    return try base.open(place, create: create)
  }

  func check(_ place: DirectoryPlace) throws(Failure) -> (any Destination)? {
    try check(reach: place)
    return try base.check(place)
  }

  func discardParts(_ names: [String], at place: DirectoryPlace) -> [String: Failure] {
    if let refusal = shares.refusal(of: place) {
      return Dictionary(names.map { ($0, refusal) }, uniquingKeysWith: { $1 })
    }
    return base.discardParts(names, at: place)
  }

  func stopping(when isStopped: @escaping @Sendable () -> Bool) -> any Destinations {
    ReachedDestinations(base: base.stopping(when: isStopped), rule: rule, shares: shares)
  }
}

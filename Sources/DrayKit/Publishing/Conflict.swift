// Decides what to do when the name of a target is taken. The decisions themselves have no effects.

internal import DrayEngine

enum Conflict: Equatable {
  /// Continue: either the name is free, or publishing will replace or avoid the existing file.
  case none
  /// Stop: the user wants to keep the existing file.
  case skip
  case refuse(Failure)
  /// Stop: the existing file is the server's version (`--if-changed`).
  case upToDate
  /// Continue: the existing file is the adopted partial file, unchanged; no other file may be replaced.
  case replaces

  /// Decides by the policy alone.
  /// - Parameters:
  ///   - occupant: The kind of thing that has the name; `nil` if the name is free.
  ///   - isOfAria2: Whether aria2 has a control file for the existing file; if so, the existing file is incomplete.
  static func decide(
    _ policy: ConflictPolicy, path: String, occupant: Occupant?, isOfAria2: Bool = false
  ) -> Conflict {
    func refuse(_ reason: String, _ advice: Advice) -> Conflict {
      .refuse(Failure(.file, path, reason, advice: advice))
    }
    switch (policy, occupant) {
    case (_, nil), (.rename, _): return .none
    case (.skip, _): return .skip
    case (_, .special?):
      return refuse(
        "a device, a pipe or a socket has that name, and is never replaced", "choose another name with \(.output)")
    case (.overwrite, .directory?): return refuse("a directory has that name", "choose another name with \(.output)")
    case (.overwrite, _): return .none
    case (.fail, .directory?):
      return refuse("the target already exists", "use \(.onConflict) rename, overwrite or skip")
    case (.fail, _) where isOfAria2:
      return refuse(
        "the target already exists, and aria2 has not completed it",
        "\(.adopt) continues it; or use \(.onConflict) rename, overwrite or skip")
    case (.fail, _) where ObjectPlace.isMeant(by: path):
      return refuse("an object has that key", "use \(.onConflict) rename, overwrite or skip")
    case (.fail, _):
      return refuse(
        "the target already exists",
        "use \(.onConflict) rename, overwrite or skip; \(.adopt) continues another program's partial file")
    }
  }

  /// Decides after looking at the name. `addedAt` is in seconds since 1970.
  static func look(
    _ specification: JobSpecification, at name: String, in destination: any Destination, addedAt: Double
  ) throws(Failure) -> Conflict {
    let policy = specification.options.onConflict
    let path = PathText.join(destination.path, name)
    let occupant = try destination.occupant(of: name)
    func changed(since what: String, _ advice: Advice) -> Conflict {
      .refuse(Failure(.file, path, "it changed since \(what), so it is not replaced", advice: advice))
    }
    let found = try destination.identity(of: name)
    // Different spellings may belong to one directory entry, and are then one target (P23).
    if found != nil, policy == .fail || isGuarded(specification), let other = destination.otherSpelling(of: name) {
      return .refuse(Failure.namesMeet(path, with: other, destination.folding))
    }
    let mayBeReplaced = found.map { mayReplace($0, named: name, specification, addedAt: addedAt) } ?? false
    if specification.options.repairs != nil, found != nil {
      return mayBeReplaced
        ? .none : changed(since: "its repair began", "move it away, then \(.retry) fetches it again")
    }
    if specification.options.replaces != nil, occupant != nil {
      return mayBeReplaced
        ? .none : changed(since: "it was compared", "move it away, or repeat the command to compare it again")
    }
    if let adopted = specification.options.adopts, let conflict = look(adopted, policy, path, found) { return conflict }
    guard specification.request.cache?.ifChanged != nil, occupant != nil, occupant != .directory else {
      let isOfAria2 = occupant == .file ? try hasControl(name, in: destination) : false
      return decide(policy, path: path, occupant: occupant, isOfAria2: isOfAria2)
    }
    return mayBeReplaced
      ? .none
      : changed(
        since: "it was compared with the server's version",
        "repeat the command to compare it again, or use another name with \(.output)")
  }

  /// Whether aria2 has a control file for a file, which means that the file is incomplete. aria2 writes no objects.
  private static func hasControl(_ name: String, in destination: any Destination) throws(Failure) -> Bool {
    destination.traits.holdsFiles ? try destination.exists(name + Adoption.controlSuffix) : false
  }

  /// Whether a file that no job knows may be the server's file, because it has the same length. Only a comparison of
  /// the bytes can prove that. If the bytes are equal, the existing file is kept, and the job is up to date.
  static func mayBeEqual(
    _ specification: JobSpecification, at name: String, in destination: any Destination, size: Int64?
  ) throws(Failure) -> Bool {
    let options = specification.options
    guard let size, options.expectedSize.map({ $0 == size }) ?? true, specification.request.isSafe,
      options.onConflict == .fail, !mayExchange(specification), try destination.occupant(of: name) == .file,
      try !hasControl(name, in: destination)
    else { return false }
    return try destination.identity(of: name)?.size == size
  }

  /// Whether such a file counts as the server's without a comparison of bytes, because it has the time that the server
  /// states; curl, wget and dray set this time on files. If the server offers a digest, the file is fetched and
  /// compared nevertheless, unless no digest counts (P12). `now` is in seconds since 1970.
  static func hasServersTime(
    _ specification: JobSpecification, at name: String, in destination: any Destination, _ head: ResponseHead,
    now: Double
  ) throws(Failure) -> Bool {
    let verify = specification.options.verify ?? .offered
    guard [200, 206].contains(head.status), verify != .require, verify == .none || head.offeredDigests.isEmpty else {
      return false
    }
    guard let found = try destination.identity(of: name) else { return false }
    return ArrivalTime.isTime(found.modified, of: head, now: Int64(now))
  }

  /// Whether a job may replace only one certain file.
  static func isGuarded(_ specification: JobSpecification) -> Bool {
    let options = specification.options
    return options.repairs != nil || options.replaces != nil || specification.request.cache?.ifChanged != nil
  }

  /// Whether a job may publish by exchanging its file with another one: the only file that it may replace, or the
  /// partial file that it adopted.
  static func mayExchange(_ specification: JobSpecification) -> Bool {
    isGuarded(specification) || specification.options.adopts != nil
  }

  /// Returns the files that a job may replace in its publish by such an exchange.
  static func replacement(_ job: Job, named name: String) -> Replacement {
    guard mayExchange(job.specification) else { return .nothing }
    return .files { [specification = job.specification, addedAt = job.addedAt] in
      mayReplace($0, named: name, specification, addedAt: addedAt)
    }
  }

  static func mayReplace(
    _ found: FileIdentity, named name: String, _ specification: JobSpecification, addedAt: Double
  ) -> Bool {
    let options = specification.options
    if let damaged = options.repairs { return found.isUnchanged(since: damaged) }
    if let seen = options.replaces { return found.isUnchanged(since: seen) }
    if let adopted = options.adopts, adopted.mayBeReplaced, found.isUnchanged(since: adopted.identity) { return true }
    return specification.request.cache?.ifChanged?.permitsReplacing(found, named: name, addedAt: addedAt) ?? false
  }

  /// Decides what to do if the adopted partial file has the target's name; returns `nil` if it has another name.
  private static func look(
    _ adopted: Adoption, _ policy: ConflictPolicy, _ path: String, _ found: FileIdentity?
  ) -> Conflict? {
    guard let found, found.isUnchanged(since: adopted.identity) else { return nil }
    if adopted.mayBeReplaced { return .replaces }
    guard policy == .fail, let refusal = adopted.outcome?.refusal else { return nil }
    return .refuse(
      Failure(
        .file, path, "the target already exists, and nothing of it can be used: \(refusal)",
        advice: "use \(.onConflict) rename, overwrite or skip"))
  }

  /// Whether anything other than the file that the job replaces has this name.
  static func isTaken(
    _ name: String, for specification: JobSpecification, in destination: any Destination
  ) throws(Failure) -> Bool {
    guard try destination.exists(name) else { return false }
    guard let adopted = specification.options.adopts else { return true }
    return look(adopted, .rename, name, try destination.identity(of: name)) != .replaces
  }
}

extension Failure {
  /// The failure if another file has the target's name in a different spelling.
  static func namesMeet(_ path: String, with other: String, _ folding: NameFolding) -> Failure {
    Failure(
      .file, path,
      "it has the same name here as \(TextSafety.escaped(other)): the directory does not tell \(folding.words) apart",
      advice: "choose another directory with \(.directory)")
  }
}

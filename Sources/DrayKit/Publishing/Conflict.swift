// What is done when something has the name of a target: a pure decision.

internal import DrayEngine

/// What follows from the target's name being free or taken.
enum Conflict: Equatable {
  /// Go on; nothing is in the way, or what is there is to be replaced or avoided when the file is published.
  case none
  /// There is nothing to do: the user wants what is there to stay.
  case skip
  /// It cannot be.
  case refuse(Failure)
  /// What is there is of the version that the server has (`--if-changed`).
  case upToDate
  /// What is there is the partial file that the job took over, as it was: it is replaced, and nothing else.
  case replaces

  /// The decision by the policy alone.
  /// - Parameters:
  ///   - occupant: the kind of thing with the name; `nil` if the name is free.
  ///   - isOfAria2: whether aria2 has a control file for it, so that it is incomplete.
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
    case (.fail, _):
      return refuse(
        "the target already exists",
        "use \(.onConflict) rename, overwrite or skip; \(.adopt) continues another program's partial file")
    }
  }

  /// The decision for a name in a destination as it is now, for a job that was added at a time in seconds since 1970.
  static func look(
    _ specification: JobSpecification, at name: String, in destination: any Destination, addedAt: Double
  ) -> Conflict {
    let policy = specification.options.onConflict
    let path = PathText.join(destination.path, name)
    let occupant = destination.occupant(of: name)
    func changed(since what: String, _ advice: Advice) -> Conflict {
      .refuse(Failure(.file, path, "it changed since \(what), so it is not replaced", advice: advice))
    }
    let found = destination.identity(of: name)
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
      let isOfAria2 = occupant == .file && destination.exists(name + Adoption.controlSuffix)
      return decide(policy, path: path, occupant: occupant, isOfAria2: isOfAria2)
    }
    return mayBeReplaced
      ? .none
      : changed(
        since: "it was compared with the server's version",
        "repeat the command to compare it again, or use another name with \(.output)")
  }

  /// Whether a job may replace one particular file only.
  static func isGuarded(_ specification: JobSpecification) -> Bool {
    let options = specification.options
    return options.repairs != nil || options.replaces != nil || specification.request.cache?.ifChanged != nil
  }

  /// Whether a job's file may get its name by an exchange with another file: the one file that the job may replace, or
  /// the partial file that it took over.
  static func mayExchange(_ specification: JobSpecification) -> Bool {
    isGuarded(specification) || specification.options.adopts != nil
  }

  /// What the publish of a job may replace by an exchange.
  static func replacement(_ job: Job, named name: String) -> Replacement {
    guard mayExchange(job.specification) else { return .nothing }
    return .files { mayReplace($0, named: name, job.specification, addedAt: job.addedAt) }
  }

  /// Whether the file at a target is the one that a job may replace.
  static func mayReplace(
    _ found: FileIdentity, named name: String, _ specification: JobSpecification, addedAt: Double
  ) -> Bool {
    let options = specification.options
    if let damaged = options.repairs { return found.isUnchanged(since: damaged) }
    if let seen = options.replaces { return found.isUnchanged(since: seen) }
    if let adopted = options.adopts, adopted.mayBeReplaced, found.isUnchanged(since: adopted.identity) { return true }
    return specification.request.cache?.ifChanged?.permitsReplacing(found, named: name, addedAt: addedAt) ?? false
  }

  /// The decision where the partial file that a job takes over has the name of its target; `nil` if another file has it.
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

  /// Whether a name is taken by anything but what the job is to replace.
  static func isTaken(_ name: String, for specification: JobSpecification, in destination: any Destination) -> Bool {
    guard destination.exists(name) else { return false }
    guard let adopted = specification.options.adopts else { return true }
    return look(adopted, .rename, name, destination.identity(of: name)) != .replaces
  }
}

// Turns settings into a revision of a job, for `dray set` and `dray edit`.

internal import DrayKit
internal import Posix

enum JobEditing {
  /// Returns the revision that gives a job these settings.
  /// - Parameter prerequisites: The jobs that the job waits for.
  /// - Throws: Kind `usage` with the name of the setting.
  static func change(
    _ job: Job, _ given: [GivenSetting], prerequisites: [JobID], _ surroundings: Surroundings
  ) throws(Failure) -> JobRevision {
    var current = job.specification
    current.after = prerequisites
    let patch = try SettingPatch(
      given, for: current.request.url, .typed, surroundings, current: current
    ) { $0 + "=" }
    var specification = current
    patch.apply(to: &specification)
    try place(&specification, given, surroundings)
    _ = try SchemeInput.check(specification.request)
    _ = try ObjectInput.check(specification, configured: [])
    if specification.place.traits.needsAccess {
      if specification.options.object?.access == nil {
        specification.objectOptions.access = try ObjectAccess.find(
          AccessOptions(), environment: surroundings.environment)
        specification.objectOptions.access?.signature.trust = job.specification.options.object?.access?.signature.trust
        specification.trustTarget(changing: Set(given.map(\.name)))
      }
      if job.specification.options.object?.access == nil { trustTarget(of: &specification) }
    }
    let after = specification.after == prerequisites ? nil : specification.after
    specification.after = []
    return JobRevision(job, specification, after: after)
  }

  /// Applies the options for certificates to the new target of a job. Sections of the configuration for the host of the
  /// source do not apply to the target.
  private static func trustTarget(of job: inout JobSpecification) {
    let host = HostLimits.current.rules.settings(for: job.request.address.origin)
    job.trustTarget(changing: host?["insecure"] == nil ? ["cacert", "insecure"] : ["cacert"])
  }

  /// Sets the directory and the name together, because each depends on the other.
  private static func place(
    _ job: inout JobSpecification, _ given: [GivenSetting], _ surroundings: Surroundings
  ) throws(Failure) {
    let dir = given.first { $0.name == "dir" }
    let out = given.first { $0.name == "out" }
    guard dir != nil || out != nil else { return }
    if let dir, dir.values.isEmpty {
      throw OptionValue.bad("dir=", "a file needs a directory: name one")
    }
    let base =
      dir?.values.last.map { surroundings.withoutParents(surroundings.absolute($0)) }
      ?? job.place.base
    // A path that came from a list stays below the directory, and links in it are still not followed (P6).
    let below = job.place.foreign
    let name = out.map { $0.values.last } ?? job.output.map { (below + [$0]).joined(separator: "/") }
    let isWhole = name.map { $0.hasPrefix("/") || ObjectPlace.isMeant(by: $0) } ?? false
    let isForeign = !below.isEmpty && !isWhole
    var place = try TargetPlace(
      dir: dir?.values.last.map(surroundings.homed), output: name,
      base: dir == nil ? base : surroundings.currentDirectory,
      names: ("dir=", "out="), isForeign: isForeign, resolve: surroundings.withoutParents)
    if name == nil { place.place = DirectoryPlace(base: base, below: below.joined(separator: "/")) }
    try surroundings.checkDirectory(place.directory, dir == nil ? "out=" : "dir=")
    if let name = place.name, place.place.traits.holdsFiles,
      surroundings.kind(PathText.join(place.directory, name)) == .directory
    {
      throw OptionValue.bad(
        "out=", "\(PathText.join(place.directory, name)) is a directory", advice: "dir= names a directory")
    }
    (job.directory, job.foreignDepth, job.output) = (place.directory, place.place.foreignDepth, place.name)
  }
}

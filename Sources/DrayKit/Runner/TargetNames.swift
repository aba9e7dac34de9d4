// The names of a target, as far as an attempt knows them, and why an attempt ends if its target has no name.

internal import DrayEngine
internal import DrayStore

struct TargetNames: Sendable {
  let job: JobID
  /// The name to show, once it is chosen.
  var chosen: String?
  /// The name that this attempt has fixed.
  var fixed: String?
  /// The name under which the upload begins: a free one, in case the target's is taken; `nil` for files.
  var upload: String?

  init(job: JobID) { self.job = job }

  /// Handles that the answer has decided the target's name.
  /// - Parameter path: The path of the target's directory.
  /// - Returns: Why to cancel the attempt, if the target must not be written.
  mutating func named(
    _ name: String, _ conflict: Conflict, upload: String?, in path: String, _ response: ResponseRecord
  ) -> CancelReason? {
    (chosen, fixed) = (name, name)
    switch conflict {
    case .none, .replaces:
      if let upload { self.upload = upload }
      return nil
    case .skip: return .end(.skipped(path: PathText.join(path, name)))
    case .refuse(let failure): return .end(.refused(failure))
    case .upToDate: return .upToDate(response)
    }
  }

  /// Handles that the target cannot be named.
  /// - Parameter bindsName: Whether the part cannot begin without the name.
  /// - Returns: Why to cancel the attempt, if it cannot continue.
  mutating func notNamed(_ failure: Failure, _ policy: ConflictPolicy, bindsName: Bool) -> CancelReason? {
    switch failure.clashAnswer(policy) {
    case .skip?: return .end(.skipped(path: failure.subject))
    case .wait?:
      // A file only gets its name when it is published, after the other job has ended.
      chosen = PathText.name(of: failure.subject)
      return bindsName ? .end(.targetBusy(failure)) : nil
    case .refuse?, .rename?, nil: break
    }
    if failure == .leaseLost(job) { return .end(.leaseLost(failure)) }
    if failure.kind == .store { return .runFails(failure) }
    // A final failure refuses the target; any other may pass, for example an inaccessible directory.
    return .end(failure.recovery == .final ? .refused(failure) : .failed(failure))
  }
}

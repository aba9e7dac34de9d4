// The failures of uploads that decide what follows. Builds without object stores compile them, too, because attempts ask
// for them.

package import DrayCore

extension Failure {
  enum UploadNameLoss: String {
    case taken = "its name was taken while it was uploaded"
    case changed = "it was uploaded under another name than it is to have now"
  }

  /// The failure of a publish that needs another key than its upload has.
  static func uploadNameLost(_ path: String, _ loss: UploadNameLoss) -> Failure {
    Failure(.file, path, loss.rawValue, advice: "\(.retry) uploads it under another name", recovery: .retry)
  }

  /// Whether the object cannot get the key of its upload. The next publish then uploads the file under another key.
  package var isUploadNameLost: Bool { kind == .file && UploadNameLoss(rawValue: reason) != nil }

  private static let unproved = "its digest is not known before it would replace the object there"

  /// The failure of a publish that would replace an existing object before the new one is known to have the right
  /// digest.
  static func unproved(_ path: String) -> Failure {
    Failure(
      .file, path, unproved, advice: "remove the object there, then \(.retry)", recovery: .keep)
  }

  package var isUnproved: Bool { kind == .file && reason == Failure.unproved }

  private static let leftWrong = "so the wrong object is still there"

  /// The failure for a new object that is wrong and could not be deleted. If the obstacle may pass, this is the failure
  /// of an interrupted publish, so that recovery checks the object again and deletes it.
  static func leftWrong(_ path: String, _ wrong: String, because obstacle: Failure) -> Failure {
    let mayPass = obstacle.recovery == .retry
    return Failure(
      mayPass ? obstacle.kind : .integrity, path,
      "\(wrong); it could not be deleted (\(obstacle.reason)), \(leftWrong)",
      advice: mayPass ? "\(.run) deletes it" : "delete it (keys with s3:DeleteObject are needed), then \(.retry)",
      recovery: mayPass ? .retry : .final)
  }

  package var leavesWrongObject: Bool { kind == .integrity && reason.hasSuffix(Failure.leftWrong) }

  /// The failure of a publish after which another object has the key.
  static func notTheUpload(_ path: String, _ difference: String) -> Failure {
    Failure(
      .integrity, path, "the object there is not the one that was uploaded: \(difference)",
      advice: "another program may have written it; \(.retry) fetches it again under \(.onConflict)")
  }

  private static let stopped = "the upload was stopped"

  /// The failure of a request that was ended or not begun because the run was stopped.
  static func stopped(_ path: String) -> Failure {
    Failure(.other, path, stopped, advice: "\(.run) continues", recovery: .keep)
  }

  package var isUploadStopped: Bool { kind == .other && reason == Failure.stopped }
}

// Decides whether the upload of an object may be continued. The parts of an earlier attempt cannot be read back, so the
// digest is known only when the object has its name.

internal import DrayEngine

enum UploadContinuing {
  /// Returns whether an upload must start over and send its parts in order; otherwise its object would replace another
  /// one before the digest is known. The call blocks the calling thread.
  static func startsOver(_ job: Job, in destination: any Destination, _ plan: TransferPlan) throws(Failure) -> Bool {
    guard !destination.traits.readsParts, plan.part != nil, let name = job.fileName else { return false }
    let options = job.specification.options
    let isLate = options.digest != nil || !plan.checkpoint.offered.isEmpty
    let mayReplace = options.onConflict == .overwrite || Conflict.mayExchange(job.specification)
    guard UploadProof.step(isLate: isLate, mayReplace: mayReplace, isTaken: true) == .startOver else { return false }
    return try destination.exists(name)
  }
}

extension Job {
  /// The recorded digests, as a check.
  var recordedCheck: DigestCheck {
    let options = specification.options
    let offered = checkpoint.offered.isEmpty ? response?.head.offeredDigests ?? [] : checkpoint.offered
    return DigestCheck(binding: options.binding, offered: options.verify == VerifyMode.none ? [] : offered)
  }

  /// Whether a crash during the publish may have left an object that was never compared with the digest.
  var mayLackProof: Bool {
    guard !specification.place.traits.readsParts, let size = publishing?.size else { return false }
    return UploadProof.mayBeOutstanding(
      hasDigest: !recordedCheck.algorithms.isEmpty || specification.options.verify?.looksBeside ?? false, size: size)
  }
}

// Keeps certain options of a job when its user requests the same download again.

internal import DrayCore

extension JobOptions {
  /// Returns these options with the partial file that the job has adopted, unless they name a different file.
  func keepingAdoption(of before: JobOptions) -> JobOptions {
    guard let adopted = before.adopts else { return self }
    var kept = self
    kept.adopts = adopted.renewed(by: adopts)
    return kept
  }

  /// Returns these options with the file that the job's repair may replace, and with the proof of its bytes.
  func keepingRepair(of before: JobOptions) -> JobOptions {
    var kept = self
    kept.repairs = before.repairs
    if kept.digest == nil { (kept.digest, kept.digestSource) = (before.digest, before.digestSource) }
    kept.pieces = kept.pieces ?? before.pieces
    return kept
  }
}

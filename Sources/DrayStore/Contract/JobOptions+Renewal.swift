// Options that a job keeps when its user requests the same download again.

internal import DrayCore

extension JobOptions {
  /// Returns these options with the partial file that the job adopted, unless these options name another file.
  func keepingAdoption(of before: JobOptions) -> JobOptions {
    guard let adopted = before.adopts else { return self }
    var kept = self
    kept.adopts = adopted.renewed(by: adopts)
    return kept
  }

  /// Returns these options with the file that a repair may replace and the proof of its bytes.
  func keepingRepair(of before: JobOptions) -> JobOptions {
    var kept = self
    kept.repairs = before.repairs
    if kept.digest == nil { (kept.digest, kept.digestSource) = (before.digest, before.digestSource) }
    kept.pieces = kept.pieces ?? before.pieces
    return kept
  }
}

// The part of `dray show` about a target in an object store and its upload.

internal import DrayKit
internal import DrayWire
internal import TerminalUI

extension JobPage {
  /// Adds the access to the target, and the properties of the target, without secrets.
  func addObject(_ page: inout Sections) {
    let job = details.job.specification
    guard job.place.traits.needsAccess else { return }
    let object = job.objectOptions
    page.add(
      "S3 target",
      object.access.map { S3Text.text($0.signature, $0.credentials) } ?? "keys of the environment at each attempt")
    let trust = object.access?.signature.targetTrust
    page.add("CA file of the target", trust?.caFile)
    if trust?.isInsecure ?? false { page.add("certificates of the target", "not checked (-k)") }
    page.add("storage class", object.storageClass)
    page.add("encryption", object.encryption?.text)
    page.add("access list", object.cannedACL)
    for property in object.metadata ?? [] { page.add("metadata", TextSafety.escaped(property.text)) }
    for property in object.tags ?? [] { page.add("tag", TextSafety.escaped(property.text)) }
    page.add("upload memory", object.uploadMemory.map { ByteText.size($0) })
  }

  func addUpload(_ page: inout Sections) {
    guard let upload = details.job.unfinishedUpload else { return }
    page.section("Upload")
    page.add("id", TextSafety.escaped(upload.id))
    page.add("key", TextSafety.escaped(upload.key))
    page.add("confirmed", UploadText.parts(upload, size: details.job.checkpoint.size))
    page.add("part size", upload.plan.unit.map { ByteText.size($0) } ?? "grows, as the length is unknown")
    page.add("checksum", upload.algorithm?.rawValue ?? "MD5 of each part")
  }
}

enum UploadText {
  /// Returns a text such as `3 of 12 parts (24.0 MiB)`.
  static func parts(_ upload: ObjectUpload, size: Int64?) -> String {
    let count = upload.parts.count
    let all = size.map { " of \(upload.plan.count(of: $0))" } ?? ""
    let isOne = all.isEmpty ? count == 1 : all == " of 1"
    return "\(count)\(all) part\(isOne ? "" : "s") (\(ByteText.size(upload.segments.count)))"
  }
}

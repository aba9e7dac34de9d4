// The seeds of a job as fields.

internal import DrayCore
internal import DrayStore

extension Seeding {
  func writeFields(to json: inout JSONText) {
    json.array("files", files) { json, file in json.value(file) }
    json.field("controlFile", control.map { ShownURL.text($0) })
    json.field("reused", outcome?.reused)
    json.field("of", outcome?.size)
    json.field("refusal", outcome?.refusal)
  }
}

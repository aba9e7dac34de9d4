// What became of a partial file of another program, as fields.

internal import DrayCore

extension Adoption {
  /// Its fields, in the details of a job and in an event.
  func writeFields(to json: inout JSONText) {
    json.field("file", path)
    json.field("controlFile", claim?.path)
    json.field("taken", outcome?.taken)
    json.field("compared", outcome?.compared)
    json.field("differing", outcome?.differing)
    json.field("refusal", outcome?.refusal)
  }
}

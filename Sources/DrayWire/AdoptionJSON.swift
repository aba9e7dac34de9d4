// The adoption of another program's partial file as fields.

internal import DrayCore

extension Adoption {
  func writeFields(to json: inout JSONText) {
    json.field("file", path)
    json.field("controlFile", control?.path)
    json.field("taken", outcome?.taken)
    json.field("compared", outcome?.compared)
    json.field("differing", outcome?.differing)
    json.field("refusal", outcome?.refusal)
  }
}

// The access of a job to S3 as text, without secrets.

internal import DrayKit

enum S3Text {
  /// Returns a text with the region, the server and the source of the keys.
  static func text(_ signature: AWSSignature, _ keys: Credentials?) -> String {
    var parts = ["region \(signature.region)"]
    if let endpoint = signature.endpoint { parts.append("server \(endpoint)") }
    if let profile = signature.profile {
      parts.append("keys of the profile \(TextSafety.escaped(profile))")
    } else {
      parts.append(keys == nil ? "not signed" : "keys stored with the job")
    }
    return parts.joined(separator: ", ")
  }
}

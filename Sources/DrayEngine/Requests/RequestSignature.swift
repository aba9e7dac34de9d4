// Signs requests to S3. The signature covers all fields that are sent from here, and takes the peculiarities of libcurl
// 7.88 into account.

internal import Curl
internal import DrayCore

enum RequestSignature {
  /// The SHA-256 of an empty body. S3 requires it in the signature of a request without a body, such as a GET.
  static let emptyBody = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  /// The value for a streamed body, whose hash is not known when the request is sent.
  static let unsignedBody = "UNSIGNED-PAYLOAD"

  /// Returns the header lines of a signed request, adapted so that libcurl's signature is right: libcurl also signs a
  /// field that is to be omitted (`Name:`), puts `accept-encoding` before `accept`, and keeps runs of spaces, which the
  /// specification collapses.
  static func lines(_ lines: [String], _ signature: AWSSignature, hasBody: Bool) -> [String] {
    var result = lines.filter { !$0.hasSuffix(":") && !$0.lowercased().hasPrefix("accept-encoding:") }.map { line in
      line.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
    }
    // Calls of the object store's own protocol already have a field for the hash of their body.
    if !result.contains(where: { $0.hasPrefix("x-amz-content-sha256:") }) {
      result.append("x-amz-content-sha256: \(hasBody ? unsignedBody : emptyBody)")
      // Without this field, S3 does not send the object's checksum.
      if !hasBody { result.append("x-amz-checksum-mode: ENABLED") }
    }
    if let token = signature.sessionToken { result.append("x-amz-security-token: \(token)") }
    return result
  }

  static func apply(_ signature: AWSSignature, _ keys: Credentials, on handle: EasyHandle) throws(CurlError) {
    try handle.set(.awsSignature, "aws:amz:\(signature.region):\(signature.service)")
    try handle.set(.userName, keys.user)
    try handle.set(.password, keys.password)
  }
}

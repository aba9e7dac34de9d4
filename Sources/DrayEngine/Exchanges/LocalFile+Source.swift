// A file of this machine as a source.

internal import Curl
internal import DrayCore

extension LocalFile: FileSource {
  var scheme: Scheme { .file }
  var servesRest: Bool { true }
  var sendsFileWhenProbed: Bool { true }

  func take(_ line: UnsafeRawBufferPointer) -> Bool { true }

  func failure(_ error: CurlError, _ subject: String, info: TransferInfo) -> Failure {
    error.failure(subject, info: info)
  }
}

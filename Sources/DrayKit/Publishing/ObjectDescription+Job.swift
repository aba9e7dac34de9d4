// The properties of an object that describe its source.

internal import DrayEngine

extension ObjectDescription {
  /// - Parameter response: The answer that delivered the file.
  init(_ job: Job, _ response: ResponseRecord?) {
    let options = job.specification.options
    self.init(options: options.object ?? ObjectOptions())
    let request = job.ownRequest ?? job.specification.request
    source = URLRedaction.withoutSecrets(request.url.string)
    if let given = options.digest, given.algorithm == .sha256 { sha256 = given.hex }
    guard let response else { return }
    contentType = response.head.first("content-type")
    // If the user named the object, programs that fetch the object use the user's name without this property.
    if job.specification.output == nil { fileName = TargetName.choose(response, ownName: nil) }
    etag = response.head.validators.etag
    if !(options.keepsArrivalTime ?? false), let text = response.head.validators.lastModified,
      let time = HTTPDate.parse(text)
    {
      (lastModified, modified) = (text, time)
    }
  }
}

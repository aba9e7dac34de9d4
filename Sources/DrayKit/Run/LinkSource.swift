internal import DrayEngine

/// The calls of a run to the sources of its jobs. The folder of the sources makes this value.
struct LinkSource: Sendable {
  /// Returns the header fields with tokens for a URL of a job's source. They are not stored with the job.
  var fields: @Sendable (_ job: Job, _ url: RequestURL) -> [HeaderField]

  /// Returns a refusal of a job's URL with a reason and advice that fit the name.
  var explained: @Sendable (_ refusal: Failure, _ job: Job) -> Failure

  /// Asks for the file of a job whose URL its server refused with a status.
  ///
  /// The answer may be one that another job got, if it was given after `time` on the monotonic clock.
  var ask:
    @Sendable (_ job: Job, _ status: Int, _ engine: Engine, _ time: Double) async throws(Failure) -> RenewalRule.Offer

  /// Returns a request of a job with the tokens for its URL. A field that the request has already stays.
  func completed(_ request: TransferRequest, of job: Job) -> TransferRequest {
    let names = Set(request.headers.map { $0.name.lowercased() })
    let fields = fields(job, request.url).filter {
      !names.contains($0.name.lowercased()) && FieldRule.isValue($0.value)
    }
    guard !fields.isEmpty else { return request }
    var request = request
    request.headers += fields
    return request
  }
}

// A job that is shared by reference: jobs are large, and the job of a small file is passed on often.

internal import DrayEngine

final class JobBox: Sendable {
  let job: Job

  init(_ job: Job) { self.job = job }
}

extension Publication {
  /// Creates the publication of a job's file.
  /// - Parameters:
  ///   - origin: The URL to record on the target; `nil` for none.
  ///   - response: The answer from which the time of the file comes.
  init(
    _ part: any PartStorage, size: Int64, recording origin: RequestURL?, _ options: JobOptions,
    _ response: ResponseRecord?, now: Double
  ) {
    let keepsArrival = options.keepsArrivalTime ?? false
    self.init(
      part: part, size: size,
      modified: keepsArrival ? nil : response.flatMap { ArrivalTime.lastModified($0.head, now: Int64(now)) },
      origin: options.recordsOrigin ?? false ? origin.map { URLRedaction.withoutSecrets($0.string) } : nil)
  }
}

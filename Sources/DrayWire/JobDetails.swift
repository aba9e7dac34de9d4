// All facts about a job: the fields of the list, and all others.

package import DrayCore
internal import DrayKit
package import DrayStore

package struct JobDetails: Sendable {
  package let job: Job
  /// The facts that a list shows.
  package let facts: JobFacts
  /// The attempts, oldest first.
  package let attempts: [AttemptRecord]
  /// Whether ``mirrors`` include the secrets of their URLs. It does not affect ``facts``.
  package let reveals: Bool

  package init(job: Job, facts: JobFacts, attempts: [AttemptRecord], reveals: Bool = false) {
    (self.job, self.facts, self.attempts, self.reveals) = (job, facts, attempts, reveals)
  }

  package var mirrors: [String] {
    (job.specification.options.mirrors ?? []).map { ShownURL.text($0.string, reveals: reveals) }
  }

  package var json: JSONText {
    var json = JSONText()
    json.object { json in
      facts.writeFields(to: &json)
      json.object("request", writeRequest)
      if let response = job.response {
        json.object("response") { JobDetails.write(response, to: &$0) }
      } else {
        json.field("response", String?.none)
      }
      json.field("validators", validators: job.checkpoint.validators)
      json.array("segments", job.checkpoint.segments.segments) { json, segment in
        json.beginArray()
        json.value(segment.lowerBound)
        json.value(segment.upperBound)
        json.endArray()
      }
      json.field("expectedDigest", job.specification.options.digest?.description)
      json.array("offeredDigests", job.checkpoint.offered) { json, offered in
        json.object { json in
          json.field("digest", offered.digest.description)
          json.field("source", offered.source.rawValue)
        }
      }
      json.field("expectedSize", job.specification.options.expectedSize)
      json.field("expectedType", job.specification.options.expectedType?.description)
      json.array("allowedTypes", job.specification.options.allowedTypes ?? []) { $0.value($1.description) }
      if let adopted = job.specification.options.adopts {
        json.object("adopted", adopted.writeFields)
      } else {
        json.field("adopted", String?.none)
      }
      if let seeding = job.specification.options.seeding {
        json.object("seed", seeding.writeFields)
      } else {
        json.field("seed", String?.none)
      }
      if let upload = job.unfinishedUpload {
        json.object("upload") { json in
          json.field("id", upload.id)
          json.field("key", upload.key)
          json.field("parts", Int64(upload.parts.count))
          json.field("partSize", upload.plan.unit)
          json.field("bytes", upload.segments.count)
        }
      } else {
        json.field("upload", String?.none)
      }
      json.array("mirrors", mirrors) { json, url in json.value(url) }
      if let source = job.specification.options.source {
        json.object("source") { json in
          json.field("name", source.shownName)
          json.field("exactName", source.shownExactName)
          json.field("revision", source.revision)
          json.field("path", source.path)
        }
      } else {
        json.field("source", String?.none)
      }
      json.array("attemptHistory", attempts) { json, attempt in
        json.object { JobDetails.write(attempt, to: &$0) }
      }
    }
    json.endLine()
    return json
  }

  private func writeRequest(to json: inout JSONText) {
    let request = job.specification.request
    let options = job.specification.options
    json.field("method", request.method)
    json.array("fields", request.headers) { $0.value(SafeHead.request($1)) }
    json.field("userAgent", request.userAgent)
    json.field("insecure", request.isInsecure)
    json.field("ifChanged", request.cache?.ifChanged != nil)
    json.field("noCache", request.cache?.noCache ?? false)
    json.field("onConflict", options.onConflict.rawValue)
    json.field("resume", options.resume.rawValue)
    json.field("maxConnections", job.specification.mostConnections)
    json.field("retries", options.retries)
    json.field("rateLimit", options.rateLimit)
    json.field("maxTime", seconds: options.maxTime)
    json.field("maxSize", options.maxSize)
  }

  private static func write(_ response: ResponseRecord, to json: inout JSONText) {
    json.field("url", response.finalURL.description)
    json.field("time", seconds: response.time)
    HeadJSON.writeFields(response, ResponseFacts(response), to: &json)
  }

  private static func write(_ attempt: AttemptRecord, to json: inout JSONText) {
    json.field("startedAt", seconds: attempt.startedAt)
    json.field("endedAt", seconds: attempt.endedAt)
    json.field("outcome", attempt.outcome)
    json.field("message", attempt.message)
    json.field("firstByte", attempt.firstByte)
    json.field("lastByte", attempt.lastByte)
    json.field("runner", attempt.runner)
  }
}

extension Job {
  /// The unfinished upload of the job, whose target is an object; `nil` if none has begun.
  package var unfinishedUpload: ObjectUpload? { state.isFinished ? nil : checkpoint.upload }
}

// Values that several of dray's JSON formats share.

package import DrayCore

extension JSONText {
  /// Writes a time or a duration in seconds, to the millisecond.
  package mutating func field(_ name: String, seconds: Double?) {
    field(name, seconds.map { ($0 * 1000).rounded() / 1000 })
  }

  /// Writes a failure: `null`, or its code, exit status, message and HTTP status.
  /// - Parameter names: The front end's names, for the advice in the message.
  package mutating func field(_ name: String, failure: Failure?, _ names: Advice.Names) {
    guard let failure else { return field(name, String?.none) }
    object(name) { json in
      json.field("code", failure.kind.rawValue)
      json.field("exitStatus", Int(failure.exitStatus.rawValue))
      json.field("message", failure.message(names))
      json.field("httpStatus", failure.httpStatus)
    }
  }

  /// Writes the reason why a job waits: `null`, or the kind of reason with its details.
  package mutating func field(_ name: String, waits reason: WaitReason?) {
    guard let reason else { return field(name, String?.none) }
    object(name) { json in
      json.field("for", reason.name)
      json.field("until", seconds: reason.until)
      switch reason {
      case .prerequisites(let jobs): json.array("jobs", jobs) { $0.value($1) }
      case .queue(let queue, let gate):
        json.field("queue", queue)
        json.field("gate", gate.name)
      case .queueRoom(let queue, let limit):
        json.field("queue", queue)
        json.field("limit", limit)
      case .hold(let hold):
        json.field("origin", hold.origin)
        json.field("job", hold.job)
      case .origin(let origin, let limit, _):
        json.field("origin", origin)
        json.field("limit", limit)
      case .disk(let text): json.field("reason", text)
      case .lease(let age): json.field("age", seconds: age)
      case .start, .window, .retry, .longWait: break
      }
    }
  }

  /// Writes validators, and whether they prove a version.
  package mutating func field(_ name: String, validators: Validators) {
    object(name) { json in
      json.field("etag", validators.etag)
      json.field("lastModified", validators.lastModified)
      json.field("strong", !validators.isWeak)
    }
  }

  /// Writes the fields of a head as `{name, value}`, in their order, without secrets.
  package mutating func field(_ name: String, head: ResponseHead) {
    array(name, head.fields.map(SafeHead.response)) { json, field in
      json.object { json in
        json.field("name", field.name)
        json.field("value", field.value)
      }
    }
  }

  package mutating func object(_ name: String, _ body: (inout JSONText) -> Void) {
    key(name)
    object(body)
  }

  package mutating func object(_ body: (inout JSONText) -> Void) {
    beginObject()
    body(&self)
    endObject()
  }

  /// Writes an array as the value of a key, with a value for each element.
  package mutating func array<Element>(
    _ name: String, _ elements: some Sequence<Element>, _ body: (inout JSONText, Element) -> Void
  ) {
    key(name)
    beginArray()
    for element in elements { body(&self, element) }
    endArray()
  }
}

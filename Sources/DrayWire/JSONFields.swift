// Values that stand in more than one of dray's JSON formats.

public import DrayCore

extension JSONText {
  /// A time, or a span of it, in seconds to the millisecond.
  public mutating func field(_ name: String, seconds: Double?) {
    field(name, seconds.map { ($0 * 1000).rounded() / 1000 })
  }

  /// A failure: `null`, or its code, exit status, message and HTTP status.
  /// - Parameter names: the front end's names, for the advice in the message.
  public mutating func field(_ name: String, failure: Failure?, _ names: Advice.Names) {
    guard let failure else { return field(name, String?.none) }
    object(name) { json in
      json.field("code", failure.kind.rawValue)
      json.field("exitStatus", Int(failure.exitStatus.rawValue))
      json.field("message", failure.message(names))
      json.field("httpStatus", failure.httpStatus)
    }
  }

  /// Validators, and whether they prove a version.
  public mutating func field(_ name: String, validators: Validators) {
    object(name) { json in
      json.field("etag", validators.etag)
      json.field("lastModified", validators.lastModified)
      json.field("strong", !validators.isWeak)
    }
  }

  /// The fields of a head as `{name, value}`, in the order they came, secrets hidden.
  public mutating func field(_ name: String, head: ResponseHead) {
    array(name, head.fields.map(SafeHead.response)) { json, field in
      json.object { json in
        json.field("name", field.name)
        json.field("value", field.value)
      }
    }
  }

  /// An object as the value of a key.
  public mutating func object(_ name: String, _ body: (inout JSONText) -> Void) {
    key(name)
    object(body)
  }

  /// An object.
  public mutating func object(_ body: (inout JSONText) -> Void) {
    beginObject()
    body(&self)
    endObject()
  }

  /// An array as the value of a key, one value for each element.
  public mutating func array<Element>(
    _ name: String, _ elements: some Sequence<Element>, _ body: (inout JSONText, Element) -> Void
  ) {
    key(name)
    beginArray()
    for element in elements { body(&self, element) }
    endArray()
  }
}

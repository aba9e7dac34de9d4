// Records that every job has, as the JSON that Foundation's decoder reads back. Its encoder takes longer for one of
// them than a small file takes to be fetched.

import DrayCore

enum RecordText {
  /// Which file it is.
  static func of(_ identity: FileIdentity) -> String {
    "{\"device\":\(identity.device),\"inode\":\(identity.inode),\"modified\":\(identity.modified),\"size\":\(identity.size)}"
  }

  /// An answer.
  static func of(_ response: ResponseRecord) -> String {
    var json = JSONText()
    json.beginObject()
    if let connection = response.connection {
      json.key("connection")
      json.write(connection)
    }
    json.field("finalURL", response.finalURL.string)
    json.key("head")
    json.write(response.head)
    if let hops = response.hops {
      json.list("hops", hops) { json, hop in
        json.beginObject()
        json.key("head")
        json.write(hop.head)
        json.field("url", hop.url.string)
        json.endObject()
      }
    }
    json.list("redirects", response.redirects) { $0.value($1) }
    json.field("time", response.time)
    json.endObject()
    return json.text
  }
}

extension JSONText {
  fileprivate mutating func list<Element>(
    _ name: String, _ elements: [Element], _ write: (inout JSONText, Element) -> Void
  ) {
    key(name)
    beginArray()
    for element in elements { write(&self, element) }
    endArray()
  }

  /// Writes a key and its value, if there is one: `null` would be read as a value that is missing.
  private mutating func known(_ name: String, _ value: (some JSONScalar)?) {
    if let value { field(name, value) }
  }

  fileprivate mutating func write(_ head: ResponseHead) {
    beginObject()
    list("fields", head.fields) { json, field in
      json.beginObject()
      json.known("isSentEmpty", field.isSentEmpty)
      json.field("name", field.name)
      json.field("value", field.value)
      json.endObject()
    }
    field("reason", head.reason)
    field("status", head.status)
    field("version", head.version)
    endObject()
  }

  fileprivate mutating func write(_ connection: ConnectionRecord) {
    beginObject()
    field("address", connection.address)
    field("isReused", connection.isReused)
    field("port", connection.port)
    let timings = connection.timings
    key("timings")
    beginObject()
    field("connect", timings.connect)
    field("firstByte", timings.firstByte)
    field("nameLookup", timings.nameLookup)
    known("tls", timings.tls)
    known("total", timings.total)
    endObject()
    if let tls = connection.tls {
      key("tls")
      beginObject()
      if let certificate = tls.certificate {
        key("certificate")
        write(certificate)
      }
      known("cipher", tls.cipher)
      field("version", tls.version)
      endObject()
    }
    endObject()
  }

  private mutating func write(_ certificate: CertificateRecord) {
    beginObject()
    field("issuer", certificate.issuer)
    list("names", certificate.names) { $0.value($1) }
    known("notAfter", certificate.notAfter)
    known("notBefore", certificate.notBefore)
    field("subject", certificate.subject)
    endObject()
  }
}

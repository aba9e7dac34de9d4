// Encodes the JSON records of a job so that Foundation's decoder can read them. Foundation's encoder would take longer
// for one record than fetching a small file.

internal import DrayCore

enum RecordText {
  static func list(_ texts: some Sequence<String>) -> String {
    var text = RecordWriter(capacity: 4096)
    text.list(texts) { $0.string($1) }
    return text.text
  }

  static func of(_ identity: FileIdentity) -> String {
    var text = RecordWriter(capacity: 128)
    text.raw("{\"device\":")
    text.number(identity.device)
    text.raw(",\"inode\":")
    text.number(identity.inode)
    text.raw(",\"modified\":")
    text.number(identity.modified)
    text.raw(",\"size\":")
    text.number(identity.size)
    text.raw("}")
    return text.text
  }

  static func of(_ response: ResponseRecord) -> String {
    var text = RecordWriter(capacity: 1024)
    text.raw("{\"finalURL\":")
    text.string(response.finalURL.string)
    text.raw(",\"head\":")
    text.head(response.head)
    text.raw(",\"redirects\":")
    text.list(response.redirects) { $0.string($1) }
    text.raw(",\"time\":")
    text.number(response.time)
    if let hops = response.hops {
      text.raw(",\"hops\":")
      text.list(hops) { text, hop in
        text.raw("{\"head\":")
        text.head(hop.head)
        text.raw(",\"url\":")
        text.string(hop.url.string)
        text.raw("}")
      }
    }
    if let connection = response.connection {
      text.raw(",\"connection\":")
      text.connection(connection)
    }
    text.raw("}")
    return text.text
  }
}

/// A JSON text to which keys and values are appended.
private struct RecordWriter {
  private var bytes: [UInt8] = []

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func raw(_ json: StaticString) { json.withUTF8Buffer { bytes.append(contentsOf: $0) } }

  mutating func string(_ value: String) { value.write(to: &bytes) }

  mutating func number(_ value: Double) { value.write(to: &bytes) }

  mutating func number(_ value: some FixedWidthInteger) { bytes.append(contentsOf: String(value).utf8) }

  mutating func list<Element>(_ elements: some Sequence<Element>, _ write: (inout RecordWriter, Element) -> Void) {
    raw("[")
    for (index, element) in elements.enumerated() {
      if index > 0 { raw(",") }
      write(&self, element)
    }
    raw("]")
  }

  mutating func head(_ head: ResponseHead) {
    raw("{\"fields\":")
    list(head.fields) { text, field in
      text.raw("{\"name\":")
      text.string(field.name)
      text.raw(",\"value\":")
      text.string(field.value)
      if let isSentEmpty = field.isSentEmpty {
        text.raw(isSentEmpty ? ",\"isSentEmpty\":true" : ",\"isSentEmpty\":false")
      }
      text.raw("}")
    }
    raw(",\"reason\":")
    string(head.reason)
    raw(",\"status\":")
    number(head.status)
    raw(",\"version\":")
    string(head.version)
    raw("}")
  }

  mutating func connection(_ connection: ConnectionRecord) {
    raw("{\"address\":")
    string(connection.address)
    raw(connection.isReused ? ",\"isReused\":true" : ",\"isReused\":false")
    raw(",\"port\":")
    number(connection.port)
    let timings = connection.timings
    raw(",\"timings\":{\"connect\":")
    number(timings.connect)
    raw(",\"firstByte\":")
    number(timings.firstByte)
    raw(",\"nameLookup\":")
    number(timings.nameLookup)
    known(",\"tls\":", timings.tls)
    known(",\"total\":", timings.total)
    raw("}")
    if let tls = connection.tls {
      raw(",\"tls\":{\"version\":")
      string(tls.version)
      if let cipher = tls.cipher {
        raw(",\"cipher\":")
        string(cipher)
      }
      if let certificate = tls.certificate {
        raw(",\"certificate\":")
        self.certificate(certificate)
      }
      raw("}")
    }
    raw("}")
  }

  private mutating func certificate(_ certificate: CertificateRecord) {
    raw("{\"issuer\":")
    string(certificate.issuer)
    raw(",\"names\":")
    list(certificate.names) { $0.string($1) }
    known(",\"notAfter\":", certificate.notAfter)
    known(",\"notBefore\":", certificate.notBefore)
    raw(",\"subject\":")
    string(certificate.subject)
    raw("}")
  }

  /// Appends a key and its value; appends nothing if the value is `nil`, because a decoder treats a missing value like
  /// `null`.
  private mutating func known(_ key: StaticString, _ value: Double?) {
    guard let value else { return }
    raw(key)
    number(value)
  }
}

// Encodes the records of every job as JSON that Foundation's decoder reads. Encoding one with Foundation takes longer
// than fetching a small file.

import DrayCore

enum RecordText {
  /// Returns the JSON of a list of texts.
  static func list(_ texts: some Sequence<String>) -> String {
    var text = RecordWriter(capacity: 4096)
    text.list(texts) { $0.string($1) }
    return text.text
  }

  /// Returns the JSON of a file's identity.
  static func of(_ identity: FileIdentity) -> String {
    var text = RecordWriter(capacity: 128)
    text.raw("{\"device\":")
    text.raw(String(identity.device))
    text.raw(",\"inode\":")
    text.raw(String(identity.inode))
    text.raw(",\"modified\":")
    text.raw(String(identity.modified))
    text.raw(",\"size\":")
    text.raw(String(identity.size))
    text.raw("}")
    return text.text
  }

  /// Returns the JSON of an answer.
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

/// An append-only JSON text.
private struct RecordWriter {
  private(set) var text = ""

  init(capacity: Int) { text.reserveCapacity(capacity) }

  /// Appends JSON.
  mutating func raw(_ json: String) { text += json }

  mutating func string(_ value: String) {
    if value.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      text += "\""
      text += value
      text += "\""
    } else {
      var bytes: [UInt8] = []
      value.write(to: &bytes)
      text += String(decoding: bytes, as: UTF8.self)
    }
  }

  mutating func number(_ value: Double) {
    var bytes: [UInt8] = []
    value.write(to: &bytes)
    text += String(decoding: bytes, as: UTF8.self)
  }

  mutating func list<Element>(_ elements: some Sequence<Element>, _ write: (inout RecordWriter, Element) -> Void) {
    text += "["
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      write(&self, element)
    }
    text += "]"
  }

  mutating func head(_ head: ResponseHead) {
    text += "{\"fields\":"
    list(head.fields) { text, field in
      text.raw("{\"name\":")
      text.string(field.name)
      text.raw(",\"value\":")
      text.string(field.value)
      if let isSentEmpty = field.isSentEmpty { text.raw(",\"isSentEmpty\":\(isSentEmpty)") }
      text.raw("}")
    }
    text += ",\"reason\":"
    string(head.reason)
    text += ",\"status\":"
    text += String(head.status)
    text += ",\"version\":"
    string(head.version)
    text += "}"
  }

  mutating func connection(_ connection: ConnectionRecord) {
    text += "{\"address\":"
    string(connection.address)
    text += connection.isReused ? ",\"isReused\":true" : ",\"isReused\":false"
    text += ",\"port\":"
    text += String(connection.port)
    let timings = connection.timings
    text += ",\"timings\":{\"connect\":"
    number(timings.connect)
    text += ",\"firstByte\":"
    number(timings.firstByte)
    text += ",\"nameLookup\":"
    number(timings.nameLookup)
    known(",\"tls\":", timings.tls)
    known(",\"total\":", timings.total)
    text += "}"
    if let tls = connection.tls {
      text += ",\"tls\":{\"version\":"
      string(tls.version)
      if let cipher = tls.cipher {
        text += ",\"cipher\":"
        string(cipher)
      }
      if let certificate = tls.certificate {
        text += ",\"certificate\":"
        self.certificate(certificate)
      }
      text += "}"
    }
    text += "}"
  }

  private mutating func certificate(_ certificate: CertificateRecord) {
    text += "{\"issuer\":"
    string(certificate.issuer)
    text += ",\"names\":"
    list(certificate.names) { $0.string($1) }
    known(",\"notAfter\":", certificate.notAfter)
    known(",\"notBefore\":", certificate.notBefore)
    text += ",\"subject\":"
    string(certificate.subject)
    text += "}"
  }

  /// Writes a key and its value, if any. `null` would be decoded as a missing value.
  private mutating func known(_ key: String, _ value: Double?) {
    guard let value else { return }
    text += key
    number(value)
  }
}

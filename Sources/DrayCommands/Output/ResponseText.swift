// An answer as `dray info` and `dray show` print it: redirects, connection, facts about the file, header fields.

internal import DrayKit
internal import DrayWire
internal import TerminalUI

struct ResponseText {
  let response: ResponseRecord
  let facts: ResponseFacts
  /// Whether the header fields of redirects are shown as well.
  var isVerbose = false
  /// The text for the URL that answered; `nil` means the URL without secrets.
  var finalURL: String?

  /// Adds the redirects, the URL that answered, and the connection to its server.
  func addWay(to page: inout Sections) {
    for (index, hop) in (response.hops ?? []).enumerated() {
      let next = response.hops.flatMap { index + 1 < $0.count ? $0[index + 1].url : nil } ?? response.finalURL
      page.add("\(hop.head.status)", "\(hop.url) → \(next)")
      guard isVerbose else { continue }
      page.add("", SafeHead.statusLine(hop.head))
      for field in hop.head.fields.map(SafeHead.response) { page.add("", "\(field.name): \(field.value)") }
    }
    if response.hops == nil {
      for url in response.redirects { page.add("redirected from", ShownURL.text(url)) }
    }
    page.add("final URL", finalURL ?? response.finalURL.description)
    guard let connection = response.connection else { return }
    if !connection.address.isEmpty {
      let used = connection.isReused ? "a connection used before" : "a new connection"
      page.add("server", "\(connection.address) port \(connection.port), \(used)")
    }
    if let tls = connection.tls {
      page.add("TLS", tls.version + (tls.cipher.map { ", \($0)" } ?? ""))
      if let certificate = tls.certificate { add(certificate, to: &page) }
    }
    page.add("timings", ResponseText.words(connection.timings))
  }

  private func add(_ certificate: CertificateRecord, to page: inout Sections) {
    page.add("certificate", certificate.subject)
    page.add("issued by", certificate.issuer)
    page.add("good for", certificate.names.isEmpty ? nil : certificate.names.joined(separator: ", "))
    page.add("good from", certificate.notBefore.map(TimeStamp.text))
    page.add("expires", certificate.notAfter.map(TimeStamp.text))
  }

  func addFile(to page: inout Sections) {
    page.add("suggested name", facts.name)
    page.add("length", facts.size.map { "\($0) bytes (\(ByteText.size($0)))" } ?? "unknown")
    page.add("type", facts.mediaType)
    page.add("charset", facts.charset)
    page.add("ETag", facts.validators.etag)
    page.add("Last-Modified", facts.validators.lastModified)
    page.add("resumable", "\(facts.isResumable ? "yes" : "no"): \(facts.resumableReason)")
    for link in facts.links {
      let details = [link.mediaType, link.priority.map { "priority \($0)" }].compactMap(\.self)
      let more = details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
      page.add(link.relation == "duplicate" ? "mirror" : "described by", ShownURL.text(link.url) + more)
    }
  }

  /// Adds the status, the version of the protocol, and every header field as it was received.
  func addHead(to page: inout Sections) {
    page.add("status", SafeHead.statusLine(response.head))
    for field in response.head.fields.map(SafeHead.response) { page.add("field", "\(field.name): \(field.value)") }
  }

  /// Returns `name lookup 1 ms, connected 2 ms, TLS 12 ms, first byte 20 ms, end 21 ms after the request began`.
  private static func words(_ timings: RequestTimings) -> String {
    var parts = ["name lookup \(milliseconds(timings.nameLookup))", "connected \(milliseconds(timings.connect))"]
    if let tls = timings.tls { parts.append("TLS \(milliseconds(tls))") }
    parts.append("first byte \(milliseconds(timings.firstByte))")
    if let total = timings.total { parts.append("end \(milliseconds(total))") }
    return parts.joined(separator: ", ") + " after the request began"
  }

  /// Returns a number of milliseconds, which has tenths if it is below 10.
  private static func milliseconds(_ seconds: Double) -> String {
    let tenths = Int(saturating: (seconds * 10_000).rounded())
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10) ms" : "\(tenths.saturatingSum(5) / 10) ms"
  }
}

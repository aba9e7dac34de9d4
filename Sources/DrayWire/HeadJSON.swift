// The head of an answer, with the same names in `info --json` and in the `response` of `show --json`.

package import DrayCore
package import DrayKit

package enum HeadJSON {
  package static func line(_ report: ProbeReport, url: RequestURL) -> JSONText {
    var json = JSONText()
    json.object { json in
      json.field("url", url.description)
      writeFields(report.response, report.facts, to: &json)
    }
    json.endLine()
    return json
  }

  /// Writes the facts of the file, the redirects, the connection and the header fields into an open object.
  package static func writeFields(_ response: ResponseRecord, _ facts: ResponseFacts, to json: inout JSONText) {
    json.field("finalURL", response.finalURL.description)
    json.field("status", response.head.isHTTP ? response.head.status : nil)
    json.field("httpVersion", response.head.isHTTP ? response.head.version : nil)
    json.field("name", facts.name)
    json.field("size", facts.size)
    json.field("mediaType", facts.mediaType)
    json.field("charset", facts.charset)
    json.field("resumable", facts.isResumable)
    json.field("resumableReason", facts.resumableReason)
    json.field("validators", validators: facts.validators)
    json.array("redirects", (response.hops ?? []).enumerated()) { json, entry in
      let hops = response.hops ?? []
      let next = entry.offset + 1 < hops.count ? hops[entry.offset + 1].url : response.finalURL
      json.object { json in
        json.field("status", entry.element.head.status)
        json.field("from", entry.element.url.description)
        json.field("to", next.description)
        json.field("httpVersion", entry.element.head.version)
        json.field("fields", head: entry.element.head)
      }
    }
    json.array("links", facts.links) { json, link in
      json.object { json in
        json.field("relation", link.relation)
        json.field("url", ShownURL.text(link.url))
        json.field("mediaType", link.mediaType)
        json.field("priority", link.priority)
      }
    }
    writeConnection(response.connection, to: &json)
    json.field("fields", head: response.head)
  }

  private static func writeConnection(_ connection: ConnectionRecord?, to json: inout JSONText) {
    json.field("address", connection?.address)
    json.field("port", connection?.port)
    json.field("connectionReused", connection?.isReused)
    if let tls = connection?.tls {
      json.object("tls") { json in
        json.field("version", tls.version)
        json.field("cipher", tls.cipher)
        json.field("subject", tls.certificate?.subject)
        json.field("issuer", tls.certificate?.issuer)
        json.array("names", tls.certificate?.names ?? []) { $0.value($1) }
        json.field("notBefore", seconds: tls.certificate?.notBefore)
        json.field("notAfter", seconds: tls.certificate?.notAfter)
      }
    } else {
      json.field("tls", String?.none)
    }
    if let timings = connection?.timings {
      json.object("timings") { json in
        json.field("nameLookup", timings.nameLookup)
        json.field("connect", timings.connect)
        json.field("tls", timings.tls)
        json.field("firstByte", timings.firstByte)
        json.field("total", timings.total)
      }
    } else {
      json.field("timings", String?.none)
    }
  }
}

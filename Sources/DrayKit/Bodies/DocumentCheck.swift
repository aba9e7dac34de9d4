// Checks that a body really has its declared format. Messages never quote the body, because it may contain secrets.

internal import DrayDocuments
internal import FoundationEssentials

enum DocumentCheck {
  /// Throws kind `usage` for anything but JSON (RFC 8259).
  static func json(_ data: Data) throws(Failure) {
    guard !data.isEmpty else { throw refused("JSON body", "it is empty") }
    do throws(DocumentError) {
      try JSONNode.check(data, kind: "JSON")
    } catch {
      throw refused("JSON body", error.reason + (error.line.map { ", line \($0)" } ?? ""))
    }
  }

  /// Throws kind `usage` for anything but a property list.
  static func propertyList(_ data: Data) throws(Failure) {
    // Foundation would accept any text: in the old style, it is a property list with one string.
    let start = data.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let mayBe = ["<?xml", "<plist", "<!DOCTYPE", "bplist", "{", "(", "<", "\""].contains { start.starts(with: $0.utf8) }
    guard mayBe, (try? PropertyListDecoder().decode(AnyPropertyList.self, from: data)) != nil else {
      throw refused("property-list body", "it is not a property list")
    }
  }

  private static func refused(_ what: String, _ reason: String) -> Failure {
    Failure(.usage, "the \(what)", reason, advice: "check the text; nothing was sent or queued")
  }
}

private struct AnyPropertyList: Decodable {
  init(from decoder: any Decoder) {}
}

// The messages of dray's extension for browsers (docs/browser.md). A message may come from any program that can write to
// the pipe, so each of its values is checked and has a limit.

package import DrayCore

/// The number or text by which the extension recognises the answer to a message.
package enum BrowserMessageID: Sendable, Equatable {
  case number(Int64)
  case text(String)

  /// The maximum length of a text in bytes.
  static let longest = 64

  init?(_ node: JSONNode?) {
    if let number = node?.integer {
      self = .number(number)
    } else if let text = node?.string, !text.isEmpty, text.utf8.count <= BrowserMessageID.longest {
      self = .text(text)
    } else {
      return nil
    }
  }
}

/// The reason why a message is not carried out.
package struct BrowserProblem: Error, Sendable, Equatable {
  /// The kind of reason, as the extension reads it.
  package enum Code: String, Sendable {
    /// dray does not do this for a browser.
    case refused
    /// The queue cannot be used now; the browser keeps its download.
    case unavailable
    /// The message breaks the rules.
    case invalid
    /// There is a job already, and its file is complete.
    case exists
  }

  package var code: Code
  /// A clause without a full stop, and without secrets.
  package var message: String
  package var advice: String?

  package init(_ code: Code, _ message: String, advice: String? = nil) {
    (self.code, self.message, self.advice) = (code, message, advice)
  }

  static func invalid(_ message: String) -> BrowserProblem { BrowserProblem(.invalid, message) }
}

/// A request of the extension.
package enum BrowserOrder: Sendable, Equatable {
  /// An act on a job.
  package enum Act: String, Sendable, CaseIterable {
    case pause, resume, retry, remove
  }

  /// The version of the protocol that the extension speaks.
  case hello(version: Int64)
  case add(BrowserDownload)
  case list
  /// Gives a job another link.
  case relink(job: String, BrowserDownload)
  case act(Act, job: String)
  /// Asks for the jobs that a link could continue.
  case matches(RequestURL, name: String?, size: Int64?)
}

/// A message of the extension.
package struct BrowserMessage: Sendable, Equatable {
  /// The version of the protocol.
  package static let version: Int64 = 1

  /// `nil` if the message has none that can be repeated.
  package var id: BrowserMessageID?
  package var order: Result<BrowserOrder, BrowserProblem>

  /// Reads a message.
  /// - Parameter now: The present time in seconds since 1970, by which cookies expire.
  package init(_ bytes: some Sequence<UInt8>, now: Int64) {
    let node: JSONNode
    do throws(DocumentError) {
      node = try JSONNode.parse(bytes, kind: "a message")
    } catch {
      // The reason may quote the message, which may contain cookies.
      order = .failure(.invalid("the message is not a JSON object in UTF-8"))
      return
    }
    guard case .object = node.value else {
      order = .failure(.invalid("the message is not a JSON object in UTF-8"))
      return
    }
    id = BrowserMessageID(node["id"])
    guard id != nil else {
      order = .failure(.invalid("the message has no id: a number, or a text of at most 64 bytes"))
      return
    }
    do throws(BrowserProblem) {
      order = .success(try BrowserMessage.order(BrowserFields(node), now: now))
    } catch {
      order = .failure(error)
    }
  }

  private static func order(_ fields: BrowserFields, now: Int64) throws(BrowserProblem) -> BrowserOrder {
    guard let type = try fields.text("type", most: 40) else { throw .invalid("the message has no type") }
    switch type {
    case "hello":
      guard let version = try fields.count("version") else { throw .invalid("version is missing") }
      return .hello(version: version)
    case "add": return .add(try BrowserDownload(fields, now: now))
    case "list": return .list
    case "relink": return .relink(job: try job(fields), try BrowserDownload(fields, now: now))
    case "matches":
      return .matches(try fields.url("url").url, name: try fields.name("name"), size: try fields.count("size"))
    default:
      guard let act = BrowserOrder.Act(rawValue: type) else {
        throw .invalid("the type \(TextSafety.escaped(quote(type))) is unknown")
      }
      return .act(act, job: try job(fields))
    }
  }

  /// Returns the number or the UUID of a job, as text.
  private static func job(_ fields: BrowserFields) throws(BrowserProblem) -> String {
    guard let text = try fields.text("job", most: 40), !text.isEmpty else { throw .invalid("job is missing") }
    return text
  }
}

/// The values of a message. A missing value and `null` mean the same.
struct BrowserFields {
  let node: JSONNode

  init(_ node: JSONNode) { self.node = node }

  private func value(_ name: String) -> JSONNode? { node[name].flatMap { $0.value == .null ? nil : $0 } }

  func text(_ name: String, most limit: Int) throws(BrowserProblem) -> String? {
    guard let node = value(name) else { return nil }
    guard let text = node.string else { throw .invalid("\(name) is not a text") }
    guard text.utf8.count <= limit else { throw .invalid("\(name) is longer than \(limit) bytes") }
    return text
  }

  /// Returns a whole number that is not negative. Browsers write -1 for an unknown size.
  func count(_ name: String) throws(BrowserProblem) -> Int64? {
    guard let node = value(name) else { return nil }
    guard let number = node.integer else { throw .invalid("\(name) is not a whole number") }
    return number < 0 ? nil : number
  }

  func flag(_ name: String) throws(BrowserProblem) -> Bool {
    guard let node = value(name) else { return false }
    guard case .bool(let isSet) = node.value else { throw .invalid("\(name) is neither true nor false") }
    return isSet
  }

  func list(_ name: String, most limit: Int) throws(BrowserProblem) -> [JSONNode]? {
    guard let node = value(name) else { return nil }
    guard let list = node.array else { throw .invalid("\(name) is not a list") }
    guard list.count <= limit else { throw .invalid("\(name) has more than \(limit) entries") }
    return list
  }

  /// Returns the name of a file, safe for any directory. A name with a directory is refused, because the file would not
  /// be where the extension expects it.
  func name(_ name: String) throws(BrowserProblem) -> String? {
    guard let text = try text(name, most: 1024), !text.isEmpty else { return nil }
    guard !text.unicodeScalars.contains(where: { $0 == "/" || $0 == "\\" }), let safe = FileName.safe(text) else {
      throw .invalid("\(name) is not the name of a file")
    }
    return safe
  }

  func url(_ name: String) throws(BrowserProblem) -> RequestURL.Parsed {
    guard let text = try text(name, most: RequestURL.longest), !text.isEmpty else {
      throw .invalid("\(name) is missing")
    }
    // Without a scheme, the parser would assume one, as for a typed URL.
    guard text.contains("://"), let parsed = try? RequestURL.parse(text) else {
      throw .invalid("\(name) is not a URL that can be fetched")
    }
    return parsed
  }
}

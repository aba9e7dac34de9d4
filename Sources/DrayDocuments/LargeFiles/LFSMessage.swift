// The lines between git-lfs and a program that transfers its objects:
// https://github.com/git-lfs/git-lfs/blob/main/docs/custom-transfers.md

package import DrayCore

/// An object of git-lfs.
package struct LFSObject: Sendable, Hashable {
  /// The SHA-256 of the object, in 64 lowercase hexadecimal digits.
  package var oid: String
  /// In bytes.
  package var size: Int64

  package init(oid: String, size: Int64) { (self.oid, self.size) = (oid, size) }

  /// Whether a text is the name of an object. Names become names of files.
  package static func isName(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}

/// A line from git-lfs.
package enum LFSMessage: Sendable, Equatable {
  case begin(LFSRun)
  case download(LFSObject)
  /// An object that git-lfs wants to send.
  case upload(oid: String)
  case terminate

  /// The maximum length of a line in bytes.
  package static let longest = 64 << 10
  private static let kind = "a message of git-lfs"

  /// - Throws: ``DocumentError`` if the line is no known message.
  package static func parse(_ line: some Collection<UInt8>) throws(DocumentError) -> LFSMessage {
    guard line.count <= longest else { throw DocumentError(kind, "it is longer than \(longest >> 10) KiB") }
    let node = try JSONNode.parse(line, kind: kind)
    guard let event = node["event"]?.string else { throw DocumentError(kind, "it has no event") }
    switch event {
    case "init": return .begin(LFSRun(node))
    case "download":
      let oid = try name(node)
      guard let size = node["size"]?.integer, size >= 0 else { throw DocumentError(kind, "it has no size") }
      return .download(LFSObject(oid: oid, size: size))
    case "upload": return .upload(oid: try name(node))
    case "terminate": return .terminate
    default: throw DocumentError(kind, "its event \(quote(event)) is unknown")
    }
  }

  private static func name(_ node: JSONNode) throws(DocumentError) -> String {
    guard let oid = node["oid"]?.string, LFSObject.isName(oid) else {
      throw DocumentError(kind, "its oid is not the SHA-256 of an object")
    }
    return oid
  }
}

/// What git-lfs says before the first object.
package struct LFSRun: Sendable, Equatable {
  /// Whether objects are to be sent.
  package var isUpload: Bool
  /// The name of the remote, or its URL.
  package var remote: String
  /// The number of objects to transfer at the same time.
  package var transfers: Int

  package init(isUpload: Bool = false, remote: String = "origin", transfers: Int = 8) {
    (self.isUpload, self.remote, self.transfers) = (isUpload, remote, transfers)
  }

  fileprivate init(_ node: JSONNode) {
    self.init(isUpload: node["operation"]?.string == "upload")
    if let name = node["remote"]?.string, !name.isEmpty { remote = name }
    // Versions before 3 send no number when there is no such setting.
    if let count = node["concurrenttransfers"]?.integer, count > 0 { transfers = Int(min(count, 64)) }
  }
}

/// A line to git-lfs.
package enum LFSReply: Sendable, Equatable {
  /// The first object may come.
  case ready
  /// No object can be transferred.
  case refused(LFSProblem)
  case progress(oid: String, received: Int64, since: Int64)
  /// The object is complete; git-lfs moves the file.
  case complete(oid: String, path: String)
  case failed(oid: String, LFSProblem)

  /// The line.
  package var json: JSONText {
    var json = JSONText()
    json.beginObject()
    switch self {
    case .ready: break
    case .refused(let problem): problem.write(to: &json)
    case .progress(let oid, let received, let since):
      json.field("event", "progress")
      json.field("oid", oid)
      json.field("bytesSoFar", received)
      json.field("bytesSinceLast", since)
    case .complete(let oid, let path):
      json.field("event", "complete")
      json.field("oid", oid)
      json.field("path", path)
    case .failed(let oid, let problem):
      json.field("event", "complete")
      json.field("oid", oid)
      problem.write(to: &json)
    }
    json.endObject()
    json.endLine()
    return json
  }
}

/// An error as git-lfs shows it.
package struct LFSProblem: Sendable, Equatable {
  /// The status of the server's answer, or else dray's exit status.
  package var code: Int
  /// In one line.
  package var message: String

  package init(code: Int, message: String) { (self.code, self.message) = (code, message) }

  fileprivate func write(to json: inout JSONText) {
    json.key("error")
    json.beginObject()
    json.field("code", code)
    json.field("message", message)
    json.endObject()
  }
}

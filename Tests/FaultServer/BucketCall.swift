// A request to the bucket, read by S3's rules: which operation on which key.

import Foundation

extension FaultBucket {
  /// What a request asks of the bucket.
  public enum Operation: String, Sendable, CaseIterable {
    /// `CreateMultipartUpload`.
    case create
    /// `UploadPart`.
    case part
    /// `CompleteMultipartUpload`.
    case complete
    /// `AbortMultipartUpload`.
    case abort
    /// `ListParts`.
    case parts
    /// `ListMultipartUploads`.
    case uploads
    /// `PutObject`.
    case put
    /// `HeadObject`.
    case head
    /// `GetObject`.
    case get
    /// `DeleteObject`.
    case delete
    /// `ListObjectsV2`.
    case list
    /// `HeadBucket`.
    case bucket
    /// Anything else.
    case other
  }

  /// A request that was received, and the status of its answer.
  public struct Call: Sendable, CustomStringConvertible {
    /// The operation.
    public let operation: Operation
    /// The key, decoded.
    public let key: String
    /// The upload's id; empty without one.
    public let upload: String
    /// The part's number; 0 without one.
    public let number: Int
    /// The parameters of the query, decoded.
    let query: [String: String]
    /// The access key that signed it; nil if it is not signed.
    public let access: String?
    /// The fields as sent, by their names in lower case.
    public let fields: [String: String]
    /// The number of bytes of its body.
    public internal(set) var size = 0
    /// The status of the answer; 0 until there is one, and for a lost one.
    public internal(set) var status = 0
    /// What was wrong with the answer; nil for nothing.
    public internal(set) var lie: String?

    /// Reads a request for the bucket of this name.
    init(_ request: FaultServer.SeenRequest, bucket: String) {
      let parts = request.target.split(separator: "?", maxSplits: 1).map(String.init)
      let path = parts.first ?? "/"
      var query: [String: String] = [:]
      for pair in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
        let words = pair.split(separator: "=", maxSplits: 1).map { $0.removingPercentEncoding ?? String($0) }
        query[words[0]] = words.count > 1 ? words[1] : ""
      }
      let inside = path.hasPrefix("/\(bucket)/") ? path.dropFirst(bucket.count + 2) : ""
      key = inside.removingPercentEncoding ?? String(inside)
      self.query = query
      upload = query["uploadId"] ?? ""
      number = query["partNumber"].flatMap { Int($0) } ?? 0
      let named = request.fields.map { ($0.name.lowercased(), $0.value) }
      fields = Dictionary(named) { first, _ in first }
      access = fields["authorization"].flatMap { line in
        line.range(of: "Credential=").map { String(line[$0.upperBound...].prefix { $0 != "/" }) }
      }
      operation = Self.operation(request.method, isBucket: inside.isEmpty, query)
    }

    private static func operation(_ method: String, isBucket: Bool, _ query: [String: String]) -> Operation {
      switch (method, isBucket) {
      case ("GET", true): query["uploads"] != nil ? .uploads : .list
      case ("HEAD", true): .bucket
      case ("POST", false): query["uploads"] != nil ? .create : query["uploadId"] != nil ? .complete : .other
      case ("PUT", false): query["uploadId"] != nil ? .part : query.isEmpty ? .put : .other
      case ("GET", false): query["uploadId"] != nil ? .parts : .get
      case ("HEAD", false): .head
      case ("DELETE", false): query["uploadId"] != nil ? .abort : .delete
      default: .other
      }
    }

    /// The call in one line, for reports.
    public var description: String {
      "\(operation) \(key)" + (number > 0 ? " part \(number)" : "") + (size > 0 ? ", \(size) bytes" : "")
        + ": \(status)" + (lie.map { " (\($0))" } ?? "")
    }
  }
}

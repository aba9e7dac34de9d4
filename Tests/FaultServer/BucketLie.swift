// The lies of the bucket: how an answer breaks S3's promises, and the request that gets it.

extension FaultBucket {
  /// A deviation in one answer.
  public enum Lie: Sendable {
    /// An error, and nothing was done.
    case refuse(status: Int, code: String)
    /// An error, although the request was carried out.
    case failAfter(status: Int, code: String)
    /// The request is carried out, and the connection ends without an answer.
    case lose
    /// Nothing is done, and the connection ends without an answer.
    case drop
    /// The answer names another `ETag`.
    case wrongETag
    /// The answer names another checksum.
    case wrongChecksum
    /// One bit of the stored bytes differs; the answer fits the stored bytes.
    case damage
    /// 200 with an error document, as S3 may answer a `Complete`.
    case errorInside(code: String, isDone: Bool)
    /// A page of parts is left out.
    case skipPage
    /// The list of parts has this many, of which most were never sent.
    case manyParts(Int)
    /// The answer waits for the gate, and nothing is done before.
    case hold(FaultServer.Gate)
    /// The request is carried out, and its answer waits for the gate.
    case mute(FaultServer.Gate)
    /// The upload is aborted before the request is handled.
    case abortFirst
    /// Another client's object appears at the key before the request is handled.
    case stranger(FaultServer.Content)
    /// The answer comes after some seconds, and describes this object at the key, although it is not there.
    case mirage(FaultServer.Content, after: Double)

    /// `SlowDown`, with nothing done.
    public static let slowDown = Lie.refuse(status: 503, code: "SlowDown")
    /// `InternalError`, after it was done.
    public static let errorAfter = Lie.failAfter(status: 500, code: "InternalError")
    /// The clock of the client differs from the server's.
    public static let skewed = Lie.refuse(status: 403, code: "RequestTimeTooSkewed")

    /// Its name, without values.
    var name: String { "\(self)".prefix { $0 != "(" }.description }
  }

  /// A lie that waits for its request.
  struct Plan: Sendable {
    let lie: Lie
    let operation: Operation
    /// The number of requests before it that are answered as usual.
    var after: Int
    /// The number of requests that meet the lie.
    var times: Int
  }

  /// How the bucket treats conditional requests.
  public enum Conditions: Sendable {
    /// `If-None-Match: *` is obeyed.
    case obeyed
    /// It is obeyed by a PUT, and ignored by the request that completes an upload.
    case obeyedByPut
    /// Conditions are ignored, as by old servers.
    case ignored
    /// 501, as by Swift of Debian 12.
    case refused
  }

  /// What the bucket does with checksums besides MD5.
  public enum Checksums: Sendable, CaseIterable {
    /// All of it, with checksums of whole objects.
    case whole
    /// Parts are checked; an object has a checksum of their checksums, and another one is refused, as by MiniStack.
    case composite
    /// They are named, and neither checked nor repeated; an object has a wrong one, as in moto.
    case silent
    /// Their fields are ignored, as by old servers.
    case none
  }

  /// The abilities of the bucket.
  public struct Settings: Sendable {
    /// The accepted access keys; others get `ExpiredToken`.
    public var keys: Set<String> = ["AKIDANN"]
    /// How conditional requests are treated.
    public var conditions = Conditions.obeyed
    /// What it does with checksums besides MD5.
    public var checksums = Checksums.whole
    /// Whether the ETags of objects are no MD5s, as with some encryption, and prove nothing.
    public var hasOpaqueTags = false
    /// Parts on a page of `ListParts`.
    public var page = 1000
    /// The least size of a part that is not the last.
    public var least = 5 << 20
  }
}

// The answer in wire form: the decision of the rules, changed by the script. Pure, except for the date.

/// The head, the body and how to continue after them.
struct Response: Sendable {
  private(set) var status = 0
  private(set) var head: [UInt8] = []
  private(set) var body = Body()
  let answer: FaultServer.Answer

  /// The range of a 206.
  private var range: Range<Int64>?

  /// The bytes of the resource that the body has; empty if it has others.
  private(set) var served: Range<Int64> = 0..<0

  /// The position of the cut.
  var cut: Int64? { answer.bodyCut.map { $0 + Int64(answer.padding) } }

  /// Whether the connection ends after the answer.
  private(set) var closes: Bool

  /// Decides the answer to `request`.
  init(to request: FaultServer.SeenRequest, resource: FaultServer.Resource, answer: FaultServer.Answer) {
    let answer = Self.refusal(of: request, resource: resource) ?? answer
    self.answer = answer
    closes = answer.closes || request["Connection"]?.lowercased() == "close"
    if case .close = answer.framing { closes = true }
    if answer.wire != nil { closes = answer.wireEnd != .stay }
    decide(request, version: resource.version)
    let declared = body.length
    if answer.padding > 0, let cut = answer.bodyCut { body.fill(from: cut) }
    body.append(filler: answer.excess)
    head = answer.rawHead ?? computedHead(resource, declared: declared)
    if answer.rawHead != nil || answer.wire != nil { status = 0 }
    if request.method == "HEAD" { (body, served) = (Body(), 0..<0) }
  }

  /// 401 or 403 if the request lacks what the resource requires.
  private static func refusal(
    of request: FaultServer.SeenRequest, resource: FaultServer.Resource
  ) -> FaultServer.Answer? {
    if let credentials = resource.credentials,
      request["Authorization"] != "Basic \(base64(credentials.utf8))"
    {
      return .status(401, headers: ["WWW-Authenticate: Basic realm=\"fault\""])
    }
    let isAllowed = resource.required.allSatisfy { request[$0.key] == $0.value }
    return isAllowed ? nil : .status(403)
  }

  private mutating func decide(_ request: FaultServer.SeenRequest, version: FaultServer.Version) {
    let content = version.content
    let whole = 0..<content.size
    let isRead = request.method == "GET" || request.method == "HEAD"
    let ruling = Ruling(request, version: version, answer: answer)
    status = answer.status ?? (isRead ? ruling.status : 200)
    if status == 206 { range = shifted(ruling.range ?? whole, within: whole) }
    if let bytes = answer.body {
      body.append(bytes)
    } else if status == 200 {
      served = whole
      body.append(content, whole)
    } else if let range, answer.multipart {
      let part = "--\(Self.boundary)\r\nContent-Range: \(contentRange(range, total: content.size))\r\n\r\n"
      body.append(part.utf8)
      body.append(content, range)
      body.append("\r\n--\(Self.boundary)--\r\n".utf8)
    } else if let range {
      served = range
      body.append(content, range)
    } else if !hasNoBody {
      body.append("\(status) \(reasonPhrase(status))\n".utf8)
    }
  }

  private func shifted(_ range: Range<Int64>, within whole: Range<Int64>) -> Range<Int64> {
    let start =
      switch answer.start {
      case .asked: range.lowerBound
      case .at(let position): position
      case .shifted(let distance): range.lowerBound + distance
      }
    let first = min(max(whole.lowerBound, start), range.upperBound)
    return first..<min(range.upperBound, first + (answer.rangeLimit ?? range.upperBound))
  }

  // MARK: The head

  private static let boundary = "fault-server-part"

  private var hasNoBody: Bool { status < 200 || status == 204 || status == 304 }

  private func contentRange(_ range: Range<Int64>, total: Int64) -> String {
    "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
  }

  private func computedHead(_ resource: FaultServer.Resource, declared: Int64) -> [UInt8] {
    let computed = fields(resource, declared: declared).filter { field in
      !answer.without.contains { $0.lowercased() == field.name.lowercased() }
        && !answer.headers.contains { $0.lowercased().hasPrefix(field.name.lowercased() + ":") }
    }
    var lines = ["HTTP/1.1 \(status) \(answer.reason ?? reasonPhrase(status))"]
    lines += computed.map { "\($0.name): \($0.value)" }
    let total = resource.version.content.size
    lines += answer.headers.map { line in
      guard line.contains("{") else { return line }
      return
        line.replacing(/\{date\+?([0-9]*)\}/) { httpDate(secondsFromNow: Double($0.output.1) ?? 0) }
        .replacing("{first}", with: String(range?.lowerBound ?? 0))
        .replacing("{last}", with: String((range?.upperBound ?? total) - 1))
        .replacing("{total}", with: String(total))
        .replacing("{length}", with: String(declared))
    }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  private func fields(
    _ resource: FaultServer.Resource, declared: Int64
  ) -> [(name: String, value: String)] {
    let version = resource.version
    let total = version.content.size
    let tellsVersion = [200, 206, 304, 412, 416].contains(status)
    let tellsRange = status == 206 && !answer.multipart
    let isContent = status == 200 || status == 206
    let contentType =
      answer.multipart ? "multipart/byteranges; boundary=\(Self.boundary)" : resource.contentType
    var fields: [(name: String, value: String?)] = [
      ("Date", resource.date.text),
      ("ETag", tellsVersion ? version.etag : nil),
      ("Last-Modified", tellsVersion ? version.lastModified : nil),
      ("Accept-Ranges", isContent && !answer.ignoresRange ? "bytes" : nil),
      ("Content-Type", isContent ? contentType : hasNoBody ? nil : "text/plain"),
      ("Content-Disposition", isContent ? resource.disposition : nil),
      ("Content-Range", status == 416 ? "bytes */\(total)" : nil),
      ("Connection", closes ? "close" : nil),
    ]
    if tellsRange, let range { fields.append(("Content-Range", contentRange(range, total: total))) }
    switch answer.framing {
    case _ where hasNoBody: break
    case .length: fields.append(("Content-Length", String(declared)))
    case .chunked: fields.append(("Transfer-Encoding", "chunked"))
    case .close: break
    }
    return fields.compactMap { field in field.value.map { (field.name, $0) } }
  }
}

extension FaultServer.DateField {
  /// The text of the field; nil when there is none.
  var text: String? {
    switch self {
    case .now: httpDate()
    case .absent: nil
    case .fixed(let text): text
    }
  }
}

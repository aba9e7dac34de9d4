// The content of the bucket: objects and unfinished uploads, as values. Pure: requests change it, answers come out.

import Foundation

extension FaultBucket {
  /// An object.
  public struct Object: Sendable {
    /// Its bytes.
    public var bytes: [UInt8]
    /// Its `ETag` with quotes.
    public var etag: String
    /// The fields that belong to it, such as `x-amz-meta-…`, by their names in lower case.
    public var fields: [String: String]
    /// The checksum field and its value; nil without one.
    var checksum: (algorithm: BucketChecksum, value: String, kind: String)?
    /// The upload that made it; empty for a `PutObject`.
    public var upload = ""
  }

  /// A part of an upload.
  struct Part: Sendable {
    var bytes: [UInt8]
    var etag: String
    var checksum: String?
  }

  /// An unfinished upload.
  struct Upload: Sendable {
    let key: String
    var fields: [String: String]
    var algorithm: BucketChecksum?
    var parts: [Int: Part] = [:]
  }
}

/// An answer of the bucket.
struct BucketAnswer: Sendable {
  var status = 200
  var fields: [(name: String, value: String)] = []
  var body: [UInt8] = []

  static func document(_ text: String, status: Int = 200) -> BucketAnswer {
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    return BucketAnswer(status: status, fields: [("Content-Type", "application/xml")], body: Array((head + text).utf8))
  }

  static func error(_ status: Int, _ code: String) -> BucketAnswer {
    document(
      "<Error><Code>\(code)</Code><Message>the bucket says \(code)</Message><RequestId>1</RequestId></Error>",
      status: status)
  }
}

/// The state of the bucket.
struct BucketStore: Sendable {
  var settings = FaultBucket.Settings()
  var objects: [String: FaultBucket.Object] = [:]
  var uploads: [String: FaultBucket.Upload] = [:]
  /// Whether stated checksums are not compared, also not MD5.
  var trustsSums = false
  private var count = 0

  /// Carries out a request.
  mutating func answer(_ call: FaultBucket.Call, body: [UInt8]) -> BucketAnswer {
    guard let access = call.access else { return .error(403, "AccessDenied") }
    guard settings.keys.contains(access) else { return .error(400, "ExpiredToken") }
    switch call.operation {
    case .create: return create(call)
    case .part: return store(call, body)
    case .complete: return complete(call, String(decoding: body, as: UTF8.self))
    case .abort:
      guard uploads.removeValue(forKey: call.upload) != nil else { return .error(404, "NoSuchUpload") }
      return BucketAnswer(status: 204)
    case .parts: return list(call)
    case .uploads: return listUploads(call)
    case .put: return put(call, body)
    case .head, .get: return read(call)
    case .delete:
      objects[call.key] = nil
      return BucketAnswer(status: 204)
    case .list: return listObjects(call)
    case .bucket: return BucketAnswer()
    case .other: return .error(501, "NotImplemented")
    }
  }

  /// Starts an upload that belongs to `key`, and returns its id.
  mutating func startUpload(_ key: String, _ fields: [String: String] = [:], _ algorithm: BucketChecksum? = nil)
    -> String
  {
    count += 1
    let id = "upload-\(count)"
    uploads[id] = FaultBucket.Upload(key: key, fields: fields, algorithm: algorithm)
    return id
  }

  // MARK: Uploads

  private mutating func create(_ call: FaultBucket.Call) -> BucketAnswer {
    let algorithm = algorithm(named: call.fields["x-amz-checksum-algorithm"])
    let id = startUpload(call.key, Self.kept(call.fields), algorithm)
    var answer = BucketAnswer.document(
      "<InitiateMultipartUploadResult><Bucket>bucket</Bucket><Key>\(Self.escaped(call.key))</Key>"
        + "<UploadId>\(id)</UploadId></InitiateMultipartUploadResult>")
    if let algorithm {
      let kind = settings.checksums == .composite ? "COMPOSITE" : "FULL_OBJECT"
      answer.fields += [("x-amz-checksum-algorithm", algorithm.name), ("x-amz-checksum-type", kind)]
    }
    return answer
  }

  private mutating func store(_ call: FaultBucket.Call, _ body: [UInt8]) -> BucketAnswer {
    guard var upload = uploads[call.upload], upload.key == call.key else { return .error(404, "NoSuchUpload") }
    guard (1...10_000).contains(call.number) else { return .error(400, "InvalidArgument") }
    if let wrong = mismatch(call, body) { return wrong }
    let part = FaultBucket.Part(
      bytes: body, etag: "\"\(hexText(bucketMD5(body)))\"",
      checksum: isChecking ? upload.algorithm?.value(of: body) : nil)
    upload.parts[call.number] = part
    uploads[call.upload] = upload
    var answer = BucketAnswer(fields: [("ETag", part.etag)])
    if let algorithm = upload.algorithm, let sum = part.checksum { answer.fields.append((algorithm.field, sum)) }
    return answer
  }

  private mutating func complete(_ call: FaultBucket.Call, _ body: String) -> BucketAnswer {
    guard let upload = uploads[call.upload], upload.key == call.key else { return .error(404, "NoSuchUpload") }
    if let refusal = condition(call) { return refusal }
    var numbers: [Int] = []
    for element in body.components(separatedBy: "<Part>").dropFirst() {
      guard let number = Self.text("PartNumber", in: element).flatMap({ Int($0) }), let part = upload.parts[number],
        let tag = Self.text("ETag", in: element)
      else { return .error(400, "InvalidPart") }
      let bare = tag.replacingOccurrences(of: "&quot;", with: "").replacingOccurrences(of: "\"", with: "")
      guard "\"\(bare)\"" == part.etag, number > numbers.last ?? 0 else { return .error(400, "InvalidPart") }
      if let algorithm = upload.algorithm, let sum = Self.text(algorithm.element, in: element), sum != part.checksum {
        return .error(400, "InvalidPart")
      }
      numbers.append(number)
    }
    let parts = numbers.compactMap { upload.parts[$0] }
    guard !parts.isEmpty else { return .error(400, "MalformedXML") }
    guard parts.dropLast().allSatisfy({ $0.bytes.count >= settings.least }) else {
      return .error(400, "EntityTooSmall")
    }
    let bytes = parts.reduce(into: [UInt8]()) { $0 += $1.bytes }
    let digests = parts.flatMap { Self.unhexed($0.etag) }
    var object = FaultBucket.Object(
      bytes: bytes, etag: tag("\(hexText(bucketMD5(digests)))-\(parts.count)"), fields: upload.fields,
      upload: call.upload)
    if let algorithm = upload.algorithm {
      let isAsked = algorithm == .crc64nvme || upload.fields["x-amz-checksum-type"] == "FULL_OBJECT"
      let isWhole = isAsked && settings.checksums != .composite
      let composed = parts.compactMap { $0.checksum.flatMap { Data(base64Encoded: $0) } }.flatMap(Array.init)
      let sum = isWhole ? algorithm.value(of: bytes) : algorithm.value(of: composed) + "-\(parts.count)"
      if isChecking, let stated = call.fields[algorithm.field], stated != sum { return .error(400, "BadDigest") }
      object.checksum = (algorithm, isChecking ? sum : "VARHDQ==", isWhole ? "FULL_OBJECT" : "COMPOSITE")
    }
    uploads[call.upload] = nil
    objects[call.key] = object
    let sum = object.checksum.map { "<\($0.algorithm.element)>\($0.value)</\($0.algorithm.element)>" } ?? ""
    return .document(
      "<CompleteMultipartUploadResult><Bucket>bucket</Bucket><Key>\(Self.escaped(call.key))</Key>"
        + "<ETag>\(Self.escaped(object.etag))</ETag>\(sum)</CompleteMultipartUploadResult>")
  }

  private func list(_ call: FaultBucket.Call) -> BucketAnswer {
    guard let upload = uploads[call.upload], upload.key == call.key else { return .error(404, "NoSuchUpload") }
    let marker = call.query["part-number-marker"].flatMap { Int($0) } ?? 0
    let rest = upload.parts.keys.filter { $0 > marker }.sorted()
    let page = rest.prefix(min(settings.page, call.query["max-parts"].flatMap { Int($0) } ?? .max))
    let items = page.compactMap { number -> String? in
      guard let part = upload.parts[number] else { return nil }
      let sum = upload.algorithm.flatMap { one in part.checksum.map { "<\(one.element)>\($0)</\(one.element)>" } } ?? ""
      return Self.part(number, etag: part.etag, size: part.bytes.count, sum)
    }
    return Self.parts(items, of: call, next: page.last, isCut: page.count < rest.count)
  }

  /// A page of `ListParts`.
  static func parts(_ items: [String], of call: FaultBucket.Call, next: Int?, isCut: Bool) -> BucketAnswer {
    .document(
      "<ListPartsResult><Bucket>bucket</Bucket><Key>\(escaped(call.key))</Key><UploadId>\(call.upload)</UploadId>"
        + "<NextPartNumberMarker>\(next ?? 0)</NextPartNumberMarker><MaxParts>\(max(1, items.count))</MaxParts>"
        + "<IsTruncated>\(isCut)</IsTruncated>\(items.joined())</ListPartsResult>")
  }

  /// A part on a page of `ListParts`.
  static func part(_ number: Int, etag: String, size: Int, _ checksum: String = "") -> String {
    "<Part><PartNumber>\(number)</PartNumber><LastModified>2026-01-01T00:00:00.000Z</LastModified>"
      + "<ETag>\(escaped(etag))</ETag><Size>\(size)</Size>\(checksum)</Part>"
  }

  private func listUploads(_ call: FaultBucket.Call) -> BucketAnswer {
    let prefix = call.query["prefix"] ?? ""
    let items = uploads.filter { $0.value.key.hasPrefix(prefix) }.sorted {
      ($0.value.key, $0.key) < ($1.value.key, $1.key)
    }
    .map { id, upload in
      "<Upload><Key>\(Self.escaped(upload.key))</Key><UploadId>\(id)</UploadId>"
        + "<Initiated>2026-01-01T00:00:00.000Z</Initiated></Upload>"
    }
    return .document(
      "<ListMultipartUploadsResult><Bucket>bucket</Bucket><Prefix>\(Self.escaped(prefix))</Prefix>"
        + "<IsTruncated>false</IsTruncated>\(items.joined())</ListMultipartUploadsResult>")
  }

  // MARK: Objects

  private mutating func put(_ call: FaultBucket.Call, _ body: [UInt8]) -> BucketAnswer {
    if let refusal = condition(call) ?? mismatch(call, body) { return refusal }
    var object = FaultBucket.Object(bytes: body, etag: tag(hexText(bucketMD5(body))), fields: Self.kept(call.fields))
    var answer = BucketAnswer(fields: [("ETag", object.etag)])
    if isChecking, let algorithm = BucketChecksum.allCases.first(where: { call.fields[$0.field] != nil }) {
      object.checksum = (algorithm, algorithm.value(of: body), "FULL_OBJECT")
      answer.fields.append((algorithm.field, algorithm.value(of: body)))
    }
    objects[call.key] = object
    return answer
  }

  private func read(_ call: FaultBucket.Call) -> BucketAnswer {
    guard let object = objects[call.key] else { return .error(404, "NoSuchKey") }
    var answer = BucketAnswer(fields: [
      ("ETag", object.etag), ("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT"), ("Accept-Ranges", "bytes"),
    ])
    answer.fields += object.fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    if call.fields["x-amz-checksum-mode"]?.uppercased() == "ENABLED", let sum = object.checksum {
      answer.fields += [(sum.algorithm.field, sum.value), ("x-amz-checksum-type", sum.kind)]
    }
    answer.body = object.bytes
    if let range = Self.range(call.fields["range"], size: object.bytes.count) {
      answer.status = 206
      answer.body = Array(object.bytes[range])
      let last = range.upperBound - 1
      answer.fields.append(("Content-Range", "bytes \(range.lowerBound)-\(last)/\(object.bytes.count)"))
    }
    return answer
  }

  private func listObjects(_ call: FaultBucket.Call) -> BucketAnswer {
    let prefix = call.query["prefix"] ?? ""
    let items = objects.filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }.map { key, object in
      "<Contents><Key>\(Self.escaped(key))</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>"
        + "<ETag>\(Self.escaped(object.etag))</ETag><Size>\(object.bytes.count)</Size></Contents>"
    }
    return .document(
      "<ListBucketResult><Name>bucket</Name><Prefix>\(Self.escaped(prefix))</Prefix><KeyCount>\(items.count)</KeyCount>"
        + "<IsTruncated>false</IsTruncated>\(items.joined())</ListBucketResult>")
  }

  /// Returns the ETag of a new object.
  private func tag(_ text: String) -> String {
    settings.hasOpaqueTags ? "\"opaque-\(UUID().uuidString)\"" : "\"\(text)\""
  }

  // MARK: Rules

  /// Whether checksums besides MD5 are checked.
  private var isChecking: Bool { settings.checksums == .whole || settings.checksums == .composite }

  /// 412 or 501 for a condition that forbids the request; nil if it may go on.
  private func condition(_ call: FaultBucket.Call) -> BucketAnswer? {
    guard call.fields["if-none-match"] != nil || call.fields["if-match"] != nil else { return nil }
    switch settings.conditions {
    case .ignored: return nil
    case .refused: return .error(501, "NotImplemented")
    case .obeyedByPut where call.operation == .complete: return nil
    case .obeyed, .obeyedByPut:
      let object = objects[call.key]
      if call.fields["if-none-match"] == "*", object != nil { return .error(412, "PreconditionFailed") }
      if let tag = call.fields["if-match"], tag != object?.etag { return .error(412, "PreconditionFailed") }
      return nil
    }
  }

  /// `BadDigest` if a stated checksum does not fit the body.
  private func mismatch(_ call: FaultBucket.Call, _ body: [UInt8]) -> BucketAnswer? {
    guard !trustsSums else { return nil }
    if let sum = call.fields["content-md5"], sum != base64(bucketMD5(body)) { return .error(400, "BadDigest") }
    guard isChecking else { return nil }
    for algorithm in BucketChecksum.allCases {
      if let sum = call.fields[algorithm.field], sum != algorithm.value(of: body) { return .error(400, "BadDigest") }
    }
    return nil
  }

  private func algorithm(named name: String?) -> BucketChecksum? {
    settings.checksums != .none ? name.flatMap { BucketChecksum(rawValue: $0.lowercased()) } : nil
  }

  /// The fields of a request that belong to the object.
  private static func kept(_ fields: [String: String]) -> [String: String] {
    let own: Set = ["content-type", "content-disposition", "x-amz-checksum-type", "x-amz-storage-class"]
    return fields.filter { own.contains($0.key) || $0.key.hasPrefix("x-amz-meta-") }
  }

  private static func range(_ field: String?, size: Int) -> Range<Int>? {
    guard let ends = field?.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false), ends.count == 2,
      let first = Int(ends[0]), first < size
    else { return nil }
    return first..<min(size, (Int(ends[1]) ?? size - 1) + 1)
  }

  private static func text(_ element: String, in document: String) -> String? {
    guard let start = document.range(of: "<\(element)>"), let end = document.range(of: "</\(element)>") else {
      return nil
    }
    return String(document[start.upperBound..<end.lowerBound])
  }

  private static func unhexed(_ tag: String) -> [UInt8] {
    let digits = Array(tag.utf8.filter { $0 != UInt8(ascii: "\"") })
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap { index in
      UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
    }
  }

  static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: "\"", with: "&quot;")
  }
}

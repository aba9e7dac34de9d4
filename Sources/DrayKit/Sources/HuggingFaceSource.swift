// The source `hf:`: repositories of models, datasets, spaces and kernels, and buckets, on a hub of Hugging Face.

internal import DrayCore
internal import DrayDocuments
internal import Threads

/// Asks a hub: first which commit a revision is, then for the files of that commit, page by page. Files are not looked
/// up one by one.
struct HuggingFaceSource: NamedSource {
  let scheme = HubName.scheme
  /// Another hub whose pasted addresses are recognised.
  private let endpoint: RequestURL?

  /// - Parameter endpoint: Another hub than the public one whose pasted addresses are recognised.
  init(endpoint: RequestURL? = nil) { self.endpoint = endpoint }

  var about: SourceAbout {
    SourceAbout(
      ["hf:ORG/NAME[@REVISION][/PATH]", "hf:datasets/ORG/NAME…", "hf:spaces/…", "hf:kernels/…", "hf:buckets/…"],
      "models and other repositories of Hugging Face, or of the hub in HF_ENDPOINT",
      tokens: "HF_TOKEN, or the file that `hf auth login` writes")
  }

  func name(of address: RequestURL) -> SourceName? { HubName.of(address: address, endpoint: endpoint)?.name }

  func fields(for url: RequestURL, _ places: TokenPlaces) -> [HeaderField] {
    [places.huggingFaceField(for: url)].compactMap(\.self)
  }

  func isVersion(_ exact: SourceName, of name: SourceName) -> Bool {
    guard let exact = try? HubName.parse(exact.rest), let name = try? HubName.parse(name.rest) else { return false }
    return exact.pinned(to: nil) == name.pinned(to: nil)
  }

  func explained(_ refusal: Failure, of name: SourceName, at url: RequestURL, _ places: TokenPlaces) -> Failure {
    let page = (try? HubName.parse(name.rest)).flatMap { name in (try? places.huggingFaceHub())?.page(of: name) }
    return HubRefusal.explained(refusal, in: .init(page: page, hasToken: places.huggingFaceField(for: url) != nil))
  }

  func find(_ name: SourceName, _ client: any SourceClient) async throws(Failure) -> SourceAnswer {
    let subject = name.shown
    let wanted: HubName
    do throws(DocumentError) { wanted = try HubName.parse(name.rest) } catch { throw refusal(of: name, error) }
    let query = HubQuery(subject: subject, hub: try client.places.huggingFaceHub(), client: client)
    let commit = try await query.commit(of: wanted)
    let tree = try await query.tree(of: wanted, commit)
    do throws(DocumentError) { return try tree.answer(wanted, commit: commit, at: query.hub) } catch {
      throw error.failure(subject, .protocolViolation)
    }
  }
}

/// The questions about one name.
private struct HubQuery {
  /// The name, for messages.
  let subject: String
  let hub: HubAddress
  let client: any SourceClient

  /// The statuses whose reason the hub gives in a header field.
  private static let refusals: Set<Int> = [400, 401, 403, 404, 410, 451]
  /// A page of 1,000 entries has a few hundred kilobytes, and the description of a kernel may list all its files.
  private static let limit = 64 << 20

  /// Returns the commit of the name's revision; `nil` for a bucket, which has none.
  func commit(of name: HubName) async throws(Failure) -> String? {
    if name.kind == .bucket { return nil }
    if HubName.isCommit(name.wantedRevision) { return name.revision }
    let answer = try await send(name) { hub.revision(of: name) }
    return try read(answer) { () throws(DocumentError) in try HubTree.commit(answer.body) }
  }

  /// Returns the files of a commit, or those below the name's path.
  func tree(of name: HubName, _ commit: String?) async throws(Failure) -> HubTree {
    let pinned = name.pinned(to: commit)
    var tree = HubTree(isBucket: name.kind == .bucket)
    var starts = [""]
    if !name.path.isEmpty {
      let path = name.path.hasSuffix("/") ? String(name.path.dropLast()) : name.path
      let answer = try await send(name, asking: [path]) { hub.paths(of: pinned) }
      starts = try read(answer) { () throws(DocumentError) in try tree.add(named: answer.body) }
      guard starts.allSatisfy({ $0 == path }), tree.files.allSatisfy({ $0.path == path }) else {
        throw Failure(.protocolViolation, subject, "the hub described another path than the one asked for")
      }
      // A bucket only describes files, and a directory is a prefix of their names.
      if starts.isEmpty, tree.files.isEmpty, name.kind == .bucket { starts = [path] }
      guard !starts.isEmpty || !tree.files.isEmpty else { throw missing(name) }
    }
    for start in starts { try await addPages(of: pinned, below: start, to: &tree) }
    if name.kind == .bucket, !name.path.isEmpty, tree.files.isEmpty { throw missing(name) }
    return tree
  }

  private func addPages(of name: HubName, below path: String, to tree: inout HubTree) async throws(Failure) {
    var next = hub.tree(of: name, below: path)
    repeat {
      let answer = try await send(name) { next }
      let link = answer.head.links.first { $0.relations.contains("next") }?.target
      var grown = tree
      next = try read(answer) { () throws(DocumentError) in
        try grown.add(page: answer.body, of: answer.finalURL, next: link)
      }
      tree = grown
    } while next != nil
    let start = path + "/"
    guard path.isEmpty || tree.files.allSatisfy({ $0.path.hasPrefix(start) }) else {
      throw Failure(.protocolViolation, subject, "the hub listed files that are not below \(TextSafety.escaped(path))")
    }
  }

  private func missing(_ name: HubName) -> Failure {
    var whole = name
    whole.path = ""
    let shown = TextSafety.escaped(whole.name.text)
    let isPattern = name.path.contains { "*?[".contains($0) }
    return Failure(
      .status, subject, "\(TextSafety.escaped(name.path)) is not in it",
      advice: isPattern
        ? Advice("a pattern is an option: \(shown) --include '\(TextSafety.escaped(name.path))'")
        : Advice("`dray info \(shown)` lists all"), httpStatus: 404, recovery: .keep)
  }

  // MARK: Requests

  private func send(
    _ name: HubName, asking paths: [String]? = nil, _ url: () -> RequestURL?
  ) async throws(Failure) -> SourceResponse {
    guard let url = url() else { throw Failure(.usage, subject, "no URL can be made of this name") }
    var query = SourceQuery(url)
    query.headers = [client.places.huggingFaceField(for: url)].compactMap(\.self)
    (query.statuses, query.limit) = (HubQuery.refusals, HubQuery.limit)
    if let paths {
      query.method = "POST"
      query.headers.append(HeaderField("Content-Type", "application/json"))
      query.body = HubQuery.body(paths)
    }
    let answer = try await client.send(query)
    guard !(200...299).contains(answer.head.status) else { return answer }
    let context = HubRefusal.Context(
      page: hub.page(of: name), hasToken: client.places.huggingFaceField(for: url) != nil)
    let now = Int64(WallClock.now())
    var failure = HubRefusal.explained(StatusRule.failure(answer.head, subject: subject, now: now), in: context)
    if failure.code == HubRefusal.revision.rawValue, let branch = name.withLongerRevision {
      failure.advice = "check what follows @; a slash in it is written %2F: \(TextSafety.escaped(branch.name.text))"
    }
    throw failure
  }

  private static func body(_ paths: [String]) -> [UInt8] {
    var json = JSONText()
    json.beginObject()
    json.key("paths")
    json.beginArray()
    for path in paths { json.value(path) }
    json.endArray()
    json.field("expand", false)
    json.endObject()
    return json.bytes
  }

  private func read<Value>(
    _ answer: SourceResponse, _ body: () throws(DocumentError) -> Value
  ) throws(Failure) -> Value {
    do throws(DocumentError) { return try body() } catch {
      throw error.failure(answer.finalURL.description, .protocolViolation)
    }
  }
}

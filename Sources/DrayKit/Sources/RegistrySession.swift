// Asks a registry for manifests, with the proof that it wants.

internal import DrayCore
internal import DrayDocuments
internal import DrayEngine

/// The requests for one image.
struct RegistrySession {
  let reference: ImageReference
  let client: any SourceClient
  let tokens: RegistryTokens

  /// A document as the registry sent it.
  struct Found: Sendable {
    var document: ImageDocument
    var digest: DigestValue
    var size: Int64
    var url: RequestURL
  }

  /// The image of the client's platform.
  func image() async throws(Failure) -> FoundImage {
    var found = try await top()
    var platforms: [ImagePlatform] = []
    var waiting: [ImageDescriptor] = []
    // Each document has the digest that another one states, so indexes cannot form a circle. Limit them anyway.
    for _ in 0..<RegistrySession.documentLimit {
      switch found.document {
      case .image(let manifest):
        return FoundImage(
          reference, manifest, digest: found.digest, size: found.size, url: found.url,
          hasProof: key(found.url).map { tokens.proof(for: $0) != nil } ?? false)
      case .index(let descriptors):
        switch ImageChoice.choose(descriptors, client.choices.platform ?? .ofThisMachine) {
        case .image(let one): waiting.insert(one, at: 0)
        case .indexes(let more): waiting += more
        case .none(let others): platforms += others.filter { !platforms.contains($0) }
        }
      }
      guard !waiting.isEmpty else { throw noImage(platforms) }
      found = try await document(waiting.removeFirst())
    }
    throw Failure(
      .protocolViolation, reference.name, "its indexes lead to more than \(RegistrySession.documentLimit) others")
  }

  private static let documentLimit = 8

  private func key(_ url: RequestURL) -> RegistryTokens.Key? {
    RegistryTokens.Key(url, hasAccounts: client.places.hasRegistryFiles)
  }

  private func noImage(_ platforms: [ImagePlatform]) -> Failure {
    let wanted = (client.choices.platform ?? .ofThisMachine).text
    let names = platforms.prefix(12).map(\.text).joined(separator: ", ") + (platforms.count > 12 ? ", …" : "")
    return Failure(
      .usage, reference.name, "no image for \(wanted)" + (names.isEmpty ? "" : "; available: \(names)"),
      advice: platforms.isEmpty ? nil : "choose with \(.platform)")
  }

  // MARK: Documents

  /// The document of the name: by its digest if it has one, else by its tag.
  private func top() async throws(Failure) -> Found {
    guard let digest = reference.digest else { return try await document(reference.tag ?? "latest") }
    let text = ImageDigest.text(digest)
    do throws(Failure) { return try await document(text, digest) } catch {
      // Not every registry of models knows manifests by their digests.
      guard error.httpStatus == 404, let tag = reference.tag else { throw error }
      let found = try await document(tag)
      guard found.digest == digest else {
        throw Failure(
          .integrity, reference.name, "the tag now means another image: \(ImageDigest.text(found.digest))",
          advice: "fetch it again by its tag")
      }
      return found
    }
  }

  private func document(_ descriptor: ImageDescriptor) async throws(Failure) -> Found {
    let found = try await document(ImageDigest.text(descriptor.digest), descriptor.digest)
    guard found.size == descriptor.size else {
      throw Failure(
        .integrity, found.url.description, "it has \(found.size) bytes, and its index says \(descriptor.size)")
    }
    return found
  }

  /// - Parameter digest: The digest that the document must have; `nil` for a tag.
  private func document(_ name: String, _ digest: DigestValue? = nil) async throws(Failure) -> Found {
    guard let url = reference.manifest(name) else {
      throw Failure(.usage, reference.name, "no URL can be made of this name")
    }
    var query = SourceQuery(url)
    (query.accept, query.limit) = (ImageDocument.accept, ImageDocument.longest)
    let response = try await send(query)
    let subject = url.description
    let stated = response.head.first("Docker-Content-Digest").flatMap { ImageDigest.parse($0.trimmingSpaces()) }
    let algorithm = digest?.algorithm ?? stated?.algorithm ?? .sha256
    let actual = FileDigest.of(response.body, algorithm)
    if let digest, actual != digest {
      throw Failure(
        .integrity, subject, "the digest of the manifest is \(ImageDigest.text(actual)), not the one in its name",
        advice: "try again; if this repeats, the registry is damaged")
    }
    if let stated, stated.algorithm == algorithm, actual != stated {
      throw Failure(
        .integrity, subject,
        "the digest of the manifest is \(ImageDigest.text(actual)), the registry states \(ImageDigest.text(stated))",
        advice: "try again; if this repeats, the registry is damaged")
    }
    let document: ImageDocument
    do throws(DocumentError) {
      document = try ImageDocument.parse(response.body, contentType: response.head.first("Content-Type"))
    } catch { throw error.failure(subject, .protocolViolation) }
    return Found(document: document, digest: actual, size: Int64(response.body.count), url: url)
  }

  // MARK: Proofs

  /// Sends a query with the known proof. If the registry refuses, gets a new proof, and sends the query once more.
  private func send(_ query: SourceQuery) async throws(Failure) -> SourceResponse {
    var query = query
    query.statuses = [401, 403, 404]
    let key = key(query.url)
    // A proof that jobs get should last for a while.
    let known = key.flatMap { tokens.proof(for: $0, leaving: 0.5) }
    var response = try await send(query, known)
    // A challenge says where the account is sent. Only the registry that has the account may say it, and no server to
    // which it redirects.
    if response.head.status == 401, response.finalURL.origin == query.url.origin, let key,
      let challenge = RegistryChallenge.of(response.head)
    {
      let proof = try await tokens.renew(key, refused: known) { () async throws(Failure) in
        try await newProof(challenge)
      }
      response = try await send(query, proof)
    }
    switch response.head.status {
    case 200...299: return response
    case 404: throw missing(response)
    default: throw refused(response.head.status)
    }
  }

  private func send(_ query: SourceQuery, _ proof: RegistryTokens.Proof?) async throws(Failure) -> SourceResponse {
    var query = query
    if let proof { query.headers.append(HeaderField("Authorization", proof.value)) }
    return try await client.send(query)
  }

  /// Gets the proof that a challenge asks for.
  private func newProof(_ challenge: RegistryChallenge) async throws(Failure) -> RegistryTokens.Proof {
    let account = try await client.places.registryAccount(for: reference)
    guard case .bearer(let realm, let service, let scope) = challenge else {
      guard let basic = account?.basic else { throw refused(401) }
      return RegistryTokens.Proof(value: basic, life: RegistrySession.passwordLife)
    }
    if case .token(let token) = account { return RegistryTokens.Proof(value: "Bearer \(token)", life: 120) }
    guard
      let request = RegistryTokenRequest(
        realm, service: service, scope: scope ?? "repository:\(reference.path):pull", account: account)
    else { throw Failure(.protocolViolation, reference.name, "the URL of the token server is too long") }
    var query = SourceQuery(request.url)
    (query.limit, query.statuses) = (1 << 20, [400, 401, 403, 404])
    if let value = request.authorization { query.headers.append(HeaderField("Authorization", value)) }
    if let form = request.form {
      (query.method, query.body) = ("POST", form)
      query.headers.append(HeaderField("Content-Type", FormEncoding.contentType))
    }
    let response = try await client.send(query)
    guard (200...299).contains(response.head.status) else { throw rejected(realm, response.head.status, account) }
    do throws(DocumentError) {
      let token = try RegistryToken.parse(response.body)
      return RegistryTokens.Proof(value: "Bearer \(token.text)", life: token.life)
    } catch { throw error.failure(realm.withoutQuery.description, .protocolViolation) }
  }

  /// Long enough that a password in a file is not read for each request.
  private static let passwordLife = 600.0

  // MARK: Refusals

  private func rejected(_ realm: RequestURL, _ status: Int, _ account: RegistryAccount?) -> Failure {
    let why = account == nil ? "a login is needed" : "the stored login was rejected"
    return Failure(
      .authentication, realm.withoutQuery.description, "\(status): \(why) for \(reference.host)",
      advice: "log in with `docker login` or `skopeo login`", httpStatus: status)
  }

  private func refused(_ status: Int) -> Failure {
    Failure(
      .authentication, reference.name, "\(status): no such image, or a private one",
      advice: "check the name; for a private one log in with `docker login` or `skopeo login`", httpStatus: status)
  }

  private func missing(_ response: SourceResponse) -> Failure {
    let codes = RegistryErrors.codes(response.body)
    let what =
      codes.contains("NAME_UNKNOWN")
      ? "the registry has no \(reference.path)"
      : reference.digest == nil ? "no such tag: \(reference.tag ?? "latest")" : "no such image"
    return Failure(.status, reference.name, "404: \(what)", advice: "check the name", httpStatus: 404)
  }
}

// Finds the files of releases on GitHub: `gh:owner/repo@tag/*.tar.gz`.

internal import DrayCore
internal import DrayDocuments

/// Releases on GitHub, on its tenants' hosts, and on GitHub Enterprise Servers.
///
/// Calls of the API for a name: one for the release; one more for each 100 assets if there are 30 or more; with a token
/// for GitHub itself one more, for whether the repository is private. The URLs of public assets are not the API's, so
/// that fetching, and fetching again, does not use up the limit of calls.
struct GitHubSource: NamedSource {
  let scheme = "gh"
  /// The servers whose web addresses are names.
  private let hosts: Set<String>

  /// - Parameter host: The server in `GH_HOST`. Its web addresses are names, like those of GitHub itself.
  init(host: String? = nil) {
    hosts = Set([GitHubServer.main] + (host.flatMap { GitHubServer(host: $0)?.host }.map { [$0] } ?? []))
  }

  var about: SourceAbout {
    SourceAbout(
      ["gh:OWNER/REPO[@TAG][/PATTERN]", "gh:OWNER/REPO[@REF]/source.tar.gz"],
      "files of releases on GitHub, or of the server in GH_HOST",
      tokens: "GH_TOKEN, GITHUB_TOKEN, or the file of `gh`")
  }

  func name(of address: RequestURL) -> SourceName? { GitHubName.named(by: address, hosts: hosts) }

  func fields(for url: RequestURL, _ places: TokenPlaces) -> [HeaderField] {
    [places.gitHubField(for: url)].compactMap(\.self)
  }

  func isVersion(_ exact: SourceName, of name: SourceName) -> Bool {
    guard let exact = try? GitHubName(exact), let name = try? GitHubName(name) else { return false }
    // Only the exact name has the server of the surroundings.
    return (exact.owner, exact.repository) == (name.owner, name.repository)
      && (name.host == nil || exact.host == nil || exact.host == name.host)
  }

  func find(_ name: SourceName, _ client: any SourceClient) async throws(Failure) -> SourceAnswer {
    let wanted: GitHubName
    do throws(DocumentError) { wanted = try GitHubName(name) } catch { throw refusal(of: name, error) }
    return try await GitHubQuery(name, wanted, client).answer()
  }
}

/// The calls of the API for one name.
private struct GitHubQuery {
  private let name: SourceName
  private var wanted: GitHubName
  private let client: any SourceClient
  private let server: GitHubServer
  private let token: TokenPlaces.GitHubToken?
  private var repository: String { "\(wanted.owner)/\(wanted.repository)" }

  /// The maximum number of pages of assets. GitHub allows 1,000 assets, which are 10 pages.
  private static let mostPages = 50
  /// The number of the newest releases among which a draft, or a similar tag, is looked for.
  private static let listed = 30

  init(_ name: SourceName, _ wanted: GitHubName, _ client: any SourceClient) throws(Failure) {
    (self.name, self.wanted, self.client) = (name, wanted, client)
    if let host = wanted.host {
      guard let named = GitHubServer(host: host) else { throw Failure(.usage, name.shown, "\(host) is not a host") }
      server = named
    } else {
      server = try client.places.gitHubServer()
    }
    // A pinned name means the same server in any other environment.
    self.wanted.host = server.isOpen ? nil : server.host
    token = client.places.gitHubToken(for: server)
  }

  func answer() async throws(Failure) -> SourceAnswer {
    if let archive = wanted.archive { return try await source(archive) }
    // Callers without a token have few calls of the API (60 an hour on GitHub itself).
    if token == nil, wanted.reference == nil, let file = wanted.exactName,
      let answer = wanted.directAnswer(name, file, on: server)
    {
      return answer
    }
    let release = try await release()
    return try wanted.answer(
      name, release.tag, try await assets(of: release), on: server, try await access(isDraft: release.isDraft))
  }

  // MARK: Releases

  private func release() async throws(Failure) -> GitHubRelease {
    let path = wanted.reference.map { "tags/\(PercentText.encoded($0))" } ?? "latest"
    let response = try await send("repos/\(repository)/releases/\(path)", statuses: [404])
    guard response.head.status != 404 else { return try await unlisted() }
    let release = try read { () throws(DocumentError) in
      try GitHubRelease.parse(response.body, base: response.finalURL)
    }
    guard wanted.reference.map({ $0 == release.tag }) ?? !(release.isDraft || release.isPrerelease) else {
      throw Failure(
        .protocolViolation, name.shown,
        "\(server.host) answered with the release \(TextSafety.escaped(release.tag)), which was not asked for")
    }
    return release
  }

  /// Returns the draft with the tag: the API finds drafts in lists only, and for members who may write.
  /// - Throws: The explanation why there is no such release.
  private func unlisted() async throws(Failure) -> GitHubRelease {
    let response = try await send("repos/\(repository)/releases?per_page=\(GitHubQuery.listed)", statuses: [404])
    guard response.head.status != 404 else { throw unknownRepository() }
    let releases = try read { () throws(DocumentError) in
      try GitHubRelease.list(response.body, base: response.finalURL)
    }
    guard let tag = wanted.reference else { throw noLatest(releases) }
    if let draft = releases.first(where: { $0.isDraft && $0.tag == tag }) { return draft }
    let shown = TextSafety.escaped(tag)
    var advice = "\(archiveName(of: tag)) is the source, if there is such a tag or branch"
    let tags = releases.map { $0.tag.start(100) }
    if !tags.isEmpty { advice = NearestName.advice(tag, among: Array(tags.prefix(10))) + "; " + advice }
    throw Failure(.status, name.shown, "\(repository) has no release \(shown)", advice: Advice(advice), httpStatus: 404)
  }

  private func noLatest(_ releases: [GitHubRelease]) -> Failure {
    let tags = releases.filter(\.isPrerelease).prefix(5).map { TextSafety.escaped($0.tag.start(100)) }
    guard tags.isEmpty else {
      return Failure(
        .status, name.shown, "\(repository) has no release that is more than a pre-release",
        advice: Advice("name one: \(tags.map { "gh:\(repository)@\($0)" }.joined(separator: ", "))"), httpStatus: 404)
    }
    return Failure(
      .status, name.shown, "\(repository) has no releases",
      advice: Advice("gh:\(repository)@BRANCH/\(GitHubName.Archive.tarball.rawValue) is its source"), httpStatus: 404)
  }

  private func archiveName(of reference: String) -> String {
    "gh:\(repository)@\(PercentText.encoded(reference))/\(GitHubName.Archive.tarball.rawValue)"
  }

  private func assets(of release: GitHubRelease) async throws(Failure) -> [GitHubRelease.Asset] {
    guard release.assets.count >= GitHubRelease.shortestPage else { return release.assets }
    var assets: [GitHubRelease.Asset] = []
    var next = try url("repos/\(repository)/releases/\(release.id)/assets?per_page=100") as RequestURL?
    var pages = 0
    while let page = next {
      pages += 1
      guard pages <= GitHubQuery.mostPages, assets.count <= GitHubRelease.mostAssets else {
        throw Failure(.protocolViolation, name.shown, "the list of files of \(server.host) does not end")
      }
      let response = try await send(page)
      assets += try read { () throws(DocumentError) in
        try GitHubRelease.assets(response.body, base: response.finalURL)
      }
      next = try following(response)
    }
    return assets
  }

  /// Returns the next page. It must have the API's origin, because the token goes there.
  private func following(_ response: SourceResponse) throws(Failure) -> RequestURL? {
    guard let link = response.head.links.first(where: { $0.relations.contains("next") }) else { return nil }
    guard let next = ServiceAddress.resolve(link.target, against: response.finalURL), let api = server.api(""),
      next.origin == api.origin
    else {
      throw Failure(
        .protocolViolation, name.shown, "the next page of files is on another server than \(server.host)")
    }
    return next
  }

  // MARK: Source and access

  private func source(_ archive: GitHubName.Archive) async throws(Failure) -> SourceAnswer {
    let reference: String
    if let given = wanted.reference { reference = given } else { reference = try await release().tag }
    var commit = reference
    if !GitHubRelease.isCommit(reference) {
      let response = try await send(
        "repos/\(repository)/commits/\(PercentText.encoded(reference))", accept: "application/vnd.github.sha",
        statuses: [404, 409, 422])
      guard (200...299).contains(response.head.status) else {
        throw Failure(
          .status, name.shown, "\(repository) has no tag, branch or commit \(TextSafety.escaped(reference))",
          advice: "check both names\(hint)", httpStatus: response.head.status)
      }
      commit = try read { () throws(DocumentError) in try GitHubRelease.commit(response.body) }
    }
    let access = try await access(isDraft: false)
    guard let answer = wanted.answer(archive, reference, commit: commit, on: server, access) else {
      throw Failure(.usage, name.shown, "the revision cannot be part of a file's name")
    }
    return answer
  }

  private func access(isDraft: Bool) async throws(Failure) -> GitHubAccess {
    guard token != nil else { return .everybody }
    if isDraft || !server.isOpen { return .members }
    let response = try await send("repos/\(repository)", statuses: [404])
    guard response.head.status != 404 else { throw unknownRepository() }
    let isPrivate = try read { () throws(DocumentError) in try GitHubRelease.isPrivate(response.body) }
    return isPrivate ? .members : .everybody
  }

  // MARK: Calls

  private func url(_ path: String) throws(Failure) -> RequestURL {
    guard let url = server.api(path) else { throw Failure(.usage, name.shown, "the name is too long for a URL") }
    return url
  }

  private func send(
    _ path: String, accept: String = "application/vnd.github+json", statuses: Set<Int> = []
  ) async throws(Failure) -> SourceResponse {
    try await send(try url(path), accept: accept, statuses: statuses)
  }

  private func send(
    _ url: RequestURL, accept: String = "application/vnd.github+json", statuses: Set<Int> = []
  ) async throws(Failure) -> SourceResponse {
    var query = SourceQuery(url)
    (query.accept, query.statuses) = (accept, statuses)
    query.headers = [HeaderField("X-GitHub-Api-Version", "2022-11-28")]
    if let field = client.places.gitHubField(for: url) { query.headers.append(field) }
    do throws(Failure) { return try await client.send(query) } catch { throw explained(error) }
  }

  private func read<Value>(_ body: () throws(DocumentError) -> Value) throws(Failure) -> Value {
    do throws(DocumentError) { return try body() } catch { throw error.failure(name.shown, .protocolViolation) }
  }

  // MARK: Explanations

  /// The advice about tokens, as the end of other advice.
  private var hint: String { token == nil ? "; for a private repository set \(server.tokenVariable)" : "" }

  private func unknownRepository() -> Failure {
    Failure(
      .status, name.shown, "\(server.host) has no repository \(repository), or does not show it",
      advice: token.map { "check the name, and what the token of \($0.place) may read" } ?? "check the name\(hint)",
      httpStatus: 404)
  }

  /// Returns a refusal by the API with what it means and what helps.
  private func explained(_ failure: Failure) -> Failure {
    var explained = failure
    explained.subject = name.shown
    switch failure.httpStatus {
    case 401?:
      explained.reason =
        token.map { "401: \(server.host) does not accept the token of \($0.place)" }
        ?? "401: \(server.host) asks for a token"
      explained.advice = token.map { "renew the token, or remove it from \($0.place)" } ?? "set \(server.tokenVariable)"
    case 403? where failure.recovery == .retry, 429?:
      let time = failure.retryAfter.map { " for \(TimeSpan.text(Double($0)))" } ?? ""
      explained.reason = "the limit of \(server.host) on calls of its API is used up\(time)"
      explained.advice =
        token == nil ? "set \(server.tokenVariable): calls with a token have a larger limit" : "try again then"
    case 403?:
      explained.reason = "403: \(server.host) refuses access to \(repository)"
      explained.advice =
        token.map {
          "check what the token of \($0.place) may read; an organization with single sign-on must authorize it"
        } ?? "set \(server.tokenVariable)"
    default: return failure
    }
    return explained
  }
}

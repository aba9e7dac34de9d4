// From the assets of a release to the files that a name stands for.

package import DrayCore

/// How the files of a repository are fetched.
package enum GitHubAccess: Sendable, Equatable {
  /// By the URLs for everybody, which need no call of the API.
  case everybody
  /// By the API, because only members see the repository. The API wants a token, which is added to each request and not
  /// stored with a job, and redirects to a signed URL elsewhere.
  case members
}

extension GitHubName {
  /// Returns the answer for the assets of a release.
  /// - Parameter assets: All assets of the release.
  /// - Throws: Kind `usage` if no asset matches, with the names of those that exist.
  package func answer(
    _ name: SourceName, _ tag: String, _ assets: [GitHubRelease.Asset], on server: GitHubServer, _ access: GitHubAccess
  ) throws(Failure) -> SourceAnswer {
    var answer = SourceAnswer(pinned: pinned(to: tag), revision: tag, entries: [])
    let complete = assets.filter(\.isUploaded)
    for asset in assets where !asset.isUploaded {
      answer.remarks.append("\(TextSafety.escaped(asset.name)) is left out: its upload is not complete")
    }
    let found = try matching(complete, name, tag)
    // Otherwise the API describes the asset.
    let headers = access == .members ? [HeaderField("Accept", "application/octet-stream")] : []
    var unproved: [String] = []
    for asset in found {
      guard DocumentPath.safe(asset.name) != nil, !asset.name.contains("/"), let url = url(asset, tag, server, access)
      else {
        answer.remarks.append("\(TextSafety.escaped(asset.name.start(200))) is left out: no file can have this name")
        continue
      }
      var file = OfferedFile(
        urls: [url], name: asset.name, size: asset.size, digest: asset.digest, headers: headers)
      file.digestSource = asset.digest.map { _ in DigestSource(rawValue: server.host) }
      if asset.digest == nil { unproved.append(asset.name) }
      answer.entries.append(SourceAnswer.Entry(file, path: asset.name))
    }
    if let first = unproved.first {
      let others = unproved.count > 1 ? " and \(unproved.count - 1) more" : ""
      answer.remarks.append(
        "nothing proves \(TextSafety.escaped(first))\(others): \(server.host) has no digest of files this old")
    }
    return answer
  }

  /// Returns the answer for the only asset of the latest release that is wanted, without a call of the API.
  package func directAnswer(_ name: SourceName, _ file: String, on server: GitHubServer) -> SourceAnswer? {
    guard DocumentPath.safe(file) != nil,
      let url = server.web("\(owner)/\(repository)/releases/latest/download/\(PercentText.encoded(file))")
    else { return nil }
    return SourceAnswer(
      pinned: name, revision: nil, entries: [SourceAnswer.Entry(OfferedFile(urls: [url], name: file), path: file)],
      remarks: [
        "nothing proves \(file): the latest release is fetched without asking \(server.host) for digests;"
          + " name its tag (gh:\(owner)/\(repository)@TAG/\(file)) or set \(server.tokenVariable) to have it checked"
      ])
  }

  /// Returns the answer for an archive of the source.
  /// - Parameter reference: The reference that `commit` was found for, which becomes part of the file's name.
  package func answer(
    _ archive: Archive, _ reference: String, commit: String, on server: GitHubServer, _ access: GitHubAccess
  ) -> SourceAnswer? {
    let url: RequestURL? =
      switch access {
      case .everybody: server.web("\(owner)/\(repository)/archive/\(commit)\(archive.suffix)")
      case .members: server.api("repos/\(owner)/\(repository)/\(archive.endpoint)/\(commit)")
      }
    let file = "\(repository)-\(reference.replacing("/", with: "-"))\(archive.suffix)"
    guard let url, let safe = DocumentPath.safe(file) else { return nil }
    return SourceAnswer(
      pinned: pinned(to: commit), revision: commit,
      entries: [SourceAnswer.Entry(OfferedFile(urls: [url], name: safe), path: archive.rawValue)],
      remarks: [
        "\(server.host) makes \(archive.rawValue) for each request: it has no length and no digest that stays the same"
      ])
  }

  private func matching(
    _ assets: [GitHubRelease.Asset], _ name: SourceName, _ tag: String
  ) throws(Failure) -> [GitHubRelease.Asset] {
    let release = "\(owner)/\(repository)@\(TextSafety.escaped(tag))"
    guard !assets.isEmpty else {
      throw Failure(
        .usage, name.text, "the release \(release) has no files",
        advice: "\(pinned(to: tag, Archive.tarball.rawValue).text) is its source")
    }
    guard let pattern else { return assets }
    // A name may have a character that is special in patterns.
    let exact = assets.filter { $0.name == pattern }
    guard exact.isEmpty else { return exact }
    let wanted: PathPattern
    do throws(QuantityParseError) { wanted = try PathPattern(pattern) } catch {
      throw Failure(.usage, name.text, error.message)
    }
    let found = assets.filter { wanted.matches([$0.name]) }
    guard !found.isEmpty else {
      throw Failure(
        .usage, name.text, "none of the \(assets.count) files of \(release) matches \(TextSafety.escaped(pattern))",
        advice: Advice(NearestName.advice(pattern, among: assets.map { $0.name.start(100) })))
    }
    return found
  }

  private func pinned(to tag: String, _ pattern: String) -> SourceName {
    var copy = self
    copy.pattern = pattern
    return copy.pinned(to: tag)
  }

  private func url(
    _ asset: GitHubRelease.Asset, _ tag: String, _ server: GitHubServer, _ access: GitHubAccess
  ) -> RequestURL? {
    switch access {
    case .everybody:
      asset.url
        ?? server.web(
          "\(owner)/\(repository)/releases/download/\(PercentText.encoded(tag))/\(PercentText.encoded(asset.name))")
    // Made from the number: the token must not go to an address that an answer names.
    case .members: server.api("repos/\(owner)/\(repository)/releases/assets/\(asset.id)")
    }
  }
}

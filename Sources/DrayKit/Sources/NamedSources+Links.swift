// Finds new links for jobs whose links have expired, by asking their sources again.

package import DrayCore
internal import DrayDocuments
internal import DrayEngine
internal import Threads

extension RunOptions {
  /// Lets the run use the tokens of the jobs' sources, and ask sources for new links when links have expired.
  /// - Parameter grants: What the user has granted to clients of the service, for jobs of clients.
  package mutating func renewLinks(from sources: NamedSources, grants: Set<OutsideGrant> = []) {
    let links = SourceLinks(sources, grants)
    self.links = LinkSource(fields: links.fields(of:_:), explained: links.explained(_:of:)) {
      (job, status, engine, time) async throws(Failure) in
      try await links.offer(for: job, status, engine, since: time)
    }
  }
}

/// The newest answers of sources. Many links of one name expire at about the same time, and one answer has them all.
private actor SourceLinks {
  private struct Key: Hashable {
    var name: String
    var isOfClient: Bool
  }

  private struct Asked {
    var time: Double
    var answer: Task<Result<SourceAnswer, Failure>, Never>
  }

  /// The maximum number of answers that are kept. An answer may list a million files.
  private static let most = 4

  private let sources: NamedSources
  private let grants: Set<OutsideGrant>
  private let places = TokenPlaces.user
  private var asked: [Key: Asked] = [:]

  init(_ sources: NamedSources, _ grants: Set<OutsideGrant>) { (self.sources, self.grants) = (sources, grants) }

  private nonisolated func rule(for job: Job) -> SourceRule {
    job.specification.request.isOfClient == true ? .client(grants) : .user
  }

  @Sendable nonisolated func fields(of job: Job, _ url: RequestURL) -> [HeaderField] {
    guard let source = job.specification.options.source,
      let name = SourceName(source.name, schemes: sources.schemes)
    else { return [] }
    return sources[name.scheme]?.fields(for: url, rule(for: job).givesTokens ? places : .none) ?? []
  }

  @Sendable nonisolated func explained(_ refusal: Failure, of job: Job) -> Failure {
    guard let source = job.specification.options.source else { return refusal }
    let told = RenewalRule.ofName(refusal, source)
    guard told.isOfName == true, let name = SourceName(source.exactName, schemes: sources.schemes),
      let row = sources[name.scheme]
    else { return told }
    return row.explained(
      told, of: name, at: job.specification.request.url, rule(for: job).givesTokens ? places : .none)
  }

  func offer(
    for job: Job, _ status: Int, _ engine: Engine, since time: Double
  ) async throws(Failure) -> RenewalRule.Offer {
    guard let source = job.specification.options.source,
      let name = SourceName(source.exactName, schemes: sources.schemes)
    else {
      let name = job.specification.options.source?.exactName ?? ""
      throw Failure(.usage, SourceReference.shown(name), "this source is not configured here")
    }
    let isOfClient = job.specification.request.isOfClient == true
    let rule = rule(for: job)
    let client = SourceConnection(engine, job.specification.request, rule.givesTokens ? places : .none)
    let link = ExpiredLink(name: name, reference: source, url: job.specification.request.url, status: status)
    let answer = try await answer(link, client, Key(name: name.text, isOfClient: isOfClient), rule, since: time).get()
    return RenewalRule.Offer(answer, path: source.path)
  }

  private func answer(
    _ link: ExpiredLink, _ client: SourceConnection, _ key: Key, _ rule: SourceRule, since time: Double
  ) async -> Result<SourceAnswer, Failure> {
    if let known = asked[key], known.time >= time {
      let answer = await known.answer.value
      // A failure of another job's question says nothing about this one, and a program may answer one file only.
      if case .success(let found) = answer, found.entries.contains(where: { $0.path == link.reference.path }) {
        return answer
      }
    }
    let task = Task { [sources] () -> Result<SourceAnswer, Failure> in
      do throws(Failure) { return .success(try await sources.renew(link, client, for: rule)) } catch {
        return .failure(error)
      }
    }
    if asked.count >= SourceLinks.most, let oldest = asked.min(by: { $0.value.time < $1.value.time })?.key {
      asked[oldest] = nil
    }
    asked[key] = Asked(time: SteadyClock.now(), answer: task)
    return await task.value
  }
}

extension RenewalRule.Offer {
  /// Creates the offer for one file of an answer.
  init(_ answer: SourceAnswer, path: String) {
    let file = answer.entries.first { $0.path == path }?.file
    self.init(
      revision: answer.revision, url: file?.urls.first, mirrors: Array(file?.urls.dropFirst() ?? []),
      headers: file?.headers ?? [], size: file?.size, digest: file?.digest)
    hasNewFields = answer.hasNewFields
  }
}

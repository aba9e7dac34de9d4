// Names of files in sources, as clients use them in place of URLs.

internal import DrayCore
internal import DrayDocuments
internal import DrayKit

extension NativeAPI {
  /// Returns the jobs of the files of a name. Each is judged as a client's job.
  /// - Throws: 403 for a source that clients may not ask; 400 for a name that cannot be found.
  func files(
    of name: SourceName, _ order: JobOrder, base: String, _ questions: inout NameQuestions
  ) async throws(APIFailure) -> [ListedJob] {
    let shown = name.shown
    let rule = SourceRule.client(settings.rule.grants)
    if let refusal = settings.sources.refusal(of: name, for: rule) { throw .forbidden("\(shown): \(refusal)") }
    guard order.mirrors.isEmpty else { throw .bad("\(shown): mirrors are for URLs", advice: "omit them") }
    let choices = SourceChoices(platform: try order.imagePlatform())
    let answer = try await trying { () async throws(Failure) in
      let answer = try await questions.find(name, choices)
      try questions.take(answer.entries.count, of: name)
      return answer
    }
    guard !answer.entries.isEmpty else { throw .bad("\(shown): it has no files") }
    guard answer.entries.count == 1 || order.output?.isEmpty ?? true else {
      throw .bad("output: \(answer.entries.count) files cannot have one name", advice: "omit it")
    }
    return try answer.entries.map { (entry) throws(APIFailure) in
      try prepared(try job(of: entry, answer, name, order, base: base), isPaused: order.isPaused)
    }
  }

  /// Returns a client's manifest with the files of its names.
  func resolved(_ manifest: Manifest, _ lock: SyncLock?, _ mode: SyncMode) async throws(APIFailure) -> Manifest {
    guard !manifest.names.isEmpty else { return manifest }
    let rule = SourceRule.client(settings.rule.grants)
    for wanted in manifest.names {
      guard let name = settings.sources.name(in: wanted.text),
        let refusal = settings.sources.refusal(of: name, for: rule)
      else { continue }
      throw .forbidden("\(name.shown): \(refusal)")
    }
    return try await trying { () async throws(Failure) in
      var questions = questions()
      return try await SyncSet.resolve(manifest, lock, mode, &questions)
    }
  }

  /// The questions of one call of a client.
  func questions() -> NameQuestions {
    let rule = SourceRule.client(settings.rule.grants)
    return NameQuestions(
      settings.sources, for: rule, mostNames: AddOrder.mostNames, mostFiles: AddOrder.mostJobs
    ) { (choices) async throws(Failure) in
      try await DownloadManager.sourceClient(
        try self.template(), knowing: self.manager, places: rule.givesTokens ? .user : .none, choices: choices)
    }
  }

  /// The request of a plain job of a client, for the connection options of the questions to sources.
  private func template() throws(Failure) -> TransferRequest {
    guard let url = RequestURL(normalized: "https://name.invalid/") else {
      throw Failure(.other, "the name", "it cannot be asked for")
    }
    return try clients.added(JobSpecification(request: TransferRequest(url: url), directory: settings.directory))
      .request
  }

  private func job(
    of entry: SourceAnswer.Entry, _ answer: SourceAnswer, _ name: SourceName, _ order: JobOrder, base: String
  ) throws(APIFailure) -> JobSpecification {
    var own = order
    // The client did not choose the origin, so its secrets are not for it.
    (own.url, own.headers, own.user, own.password) = (entry.file.urls.first?.string ?? "", [], nil, nil)
    var job = try own.specification(base: base, home: settings.rule.home)
    var file = entry.file
    if job.output != nil { file.name = nil }
    let directory = job.directory
    file.apply(to: &job)
    job.options.source = answer.reference(to: entry, of: name)
    // A file with this name may be an earlier version of the same file, which then stays unless it is replaced.
    job.options.onConflict = .fail
    if job.group == nil, answer.entries.count > 1 { job.group = JobGroup(source: name.text, directory: directory) }
    return job
  }
}

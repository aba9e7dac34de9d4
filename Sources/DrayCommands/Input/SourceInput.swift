// Names of files in sources, such as `hf:ORG/MODEL`: asks the sources, and puts the files into a list in place of the
// names, before anything is queued.

internal import DrayDocuments
internal import DrayKit
internal import TerminalUI

struct SourceInput {
  let template: JobTemplate
  private let shape: RequestShape
  private let filter: TreeFilter
  let surroundings: Surroundings
  private let isQuiet: Bool
  private let sources = CommandContext.current.sources

  static let helpAdvice: Advice = "`dray help sources` shows how names are written"

  init(
    _ template: JobTemplate, _ shape: RequestShape, _ filter: TreeFilter, _ surroundings: Surroundings, isQuiet: Bool
  ) {
    (self.template, self.shape, self.filter, self.surroundings) = (template, shape, filter, surroundings)
    self.isQuiet = isQuiet
  }

  /// A name in a list, and why it is one if it was typed as a web address.
  private struct Wanted {
    var name: SourceName
    var address: RequestURL?
  }

  /// Returns a list with the files of all names. A web address that a source recognises counts as a name.
  /// - Throws: Kind `usage` for a name with options that only URLs can have; the failure of a source.
  func resolve(_ list: InputList, _ arguments: JobArguments) async throws(Failure) -> InputList {
    let isPlain = arguments.noNames || !shape.isSafe || shape.changesURLs || sources.rows.isEmpty
    func wanted(_ entry: InputList.Entry) -> Wanted? {
      // Most entries of a long list have no options.
      if entry.options < 0 { return isPlain ? nil : recognised(entry.url) }
      let own = list.options(of: entry)
      if let name = own.name { return Wanted(name: name) }
      guard !isPlain, own.offer == nil, own.home == nil, own.userInfo == nil, own.source == nil else { return nil }
      return recognised(entry.url)
    }
    guard list.firstName != nil || !isPlain && list.entries.contains(where: { wanted($0) != nil }) else {
      if arguments.hfCache { throw OptionValue.bad("--hf-cache", "no name of hf: is given") }
      return list
    }
    if let name = list.firstName { try refuseWhatMakesNoSense(name) }
    var resolved = list.emptied
    let client = try await SourceInput.client(template, try arguments.images.choices(), isQuiet: isQuiet)
    var answers: [String: SourceAnswer] = [:]
    for entry in list.entries {
      guard let wanted = wanted(entry) else {
        resolved.append(entry, of: list)
        continue
      }
      let text = wanted.name.shown
      if let address = wanted.address {
        resolved.remark("\(address): taken as the name \(text); --no-names fetches the page itself")
      }
      let answer: SourceAnswer
      if let known = answers[wanted.name.text] {
        answer = known
      } else {
        answer = try await find(wanted.name, at: list.options(of: entry).place, client).filtered(filter)
        answers[wanted.name.text] = answer
        report(answer, wanted.name, in: &resolved)
      }
      try await add(answer, of: wanted.name, list.options(of: entry), entry.line, arguments, to: &resolved)
    }
    for part in leftBySecrets {
      resolved.remark("\(part): not sent to sources; `dray help sources` says where tokens are")
    }
    return resolved
  }

  /// - Parameter place: The line of a list that has the name; `nil` for an operand.
  private func find(
    _ name: SourceName, at place: String?, _ client: any SourceClient
  ) async throws(Failure) -> SourceAnswer {
    do throws(Failure) {
      return try await SourceInput.waiting(for: name.shown, isQuiet: isQuiet) { () async throws(Failure) in
        try await sources.find(name, client, for: .user)
      }
    } catch {
      var failure = error
      if let place { failure.subject = "\(place): \(failure.subject)" }
      throw failure
    }
  }

  private func recognised(_ url: RequestURL) -> Wanted? {
    sources.name(of: url).map { Wanted(name: $0, address: url) }
  }

  /// The client for queries to sources, with the connection options of the command line.
  static func client(
    _ template: JobTemplate, _ choices: SourceChoices = SourceChoices(), isQuiet: Bool
  ) async throws(Failure) -> any SourceClient {
    guard let url = RequestURL(normalized: "https://name.invalid/") else { throw OptionValue.bad("the name", "no URL") }
    let request = template.request.request(for: InputList.Entry(url: url, line: 0), LineOptions())
    var choices = choices
    choices.patience = .atTerminal
    return try await client(request, choices, isQuiet: isQuiet)
  }

  static func client(
    _ request: TransferRequest, _ choices: SourceChoices, isQuiet: Bool = false
  ) async throws(Failure) -> any SourceClient {
    try await DownloadManager.sourceClient(
      request, hosts: CommandContext.current.hosts, choices: choices
    ) { failure, delay in
      guard !isQuiet else { return }
      Messages.print("\(failure); trying again in \(Int(saturating: delay.rounded(.up))) s")
    }
  }

  /// Asks a source, and shows on a terminal that it is being asked.
  /// - Parameter name: The name to show, without secrets.
  static func waiting<Value>(
    for name: String, isQuiet: Bool = false, _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let profile = TerminalProfile.detect(isTTY: TerminalDevice.isTTY(2), environment: ProcessVariables.all)
    return try await WaitLine.during("looking up \(name)", on: isQuiet ? nil : profile, body)
  }

  /// Refuses options that cannot be applied to files whose URLs a source gives.
  private func refuseWhatMakesNoSense(_ name: SourceName) throws(Failure) {
    let text = name.shown
    guard shape.isSafe else {
      throw OptionValue.bad(text, "a request that sends data is for a URL: omit what is sent")
    }
    guard !shape.changesURLs else { throw OptionValue.bad(text, "--query is for URLs: omit it") }
  }

  /// The request options of the command line that sources do not get, in a few words each.
  private var leftBySecrets: [String] {
    guard let url = RequestURL(normalized: "https://name.invalid/") else { return [] }
    let request = template.request.request(for: InputList.Entry(url: url, line: 0), LineOptions())
    return request.left(by: request.withoutSecrets)
  }

  private func report(_ answer: SourceAnswer, _ name: SourceName, in list: inout InputList) {
    let text = name.shown
    for line in Remarks.shortened(answer.remarks.map { "\(text): \($0)" }, text) { list.remark(line) }
    if answer.entries.count > 1 || answer.revision != nil { list.remark("\(text): \(answer.summary)") }
  }

  /// Adds the files of a name. They have the options of the name's line.
  private func add(
    _ answer: SourceAnswer, of name: SourceName, _ own: LineOptions, _ line: Int32, _ arguments: JobArguments,
    to list: inout InputList
  ) async throws(Failure) {
    let text = name.shown
    try answer.refuseEmpty(filter, text)
    if arguments.hfCache { return try addToCache(answer, of: name, own, line, arguments, to: &list) }
    if answer.isImage { return try addImage(answer, of: name, own, line, arguments, to: &list) }
    let count = answer.entries.count
    guard count == 1 || own.out == nil && own.patternName == nil && own.adopts == nil else {
      throw OptionValue.bad(text, "\(count) files cannot have one name", advice: "use -d, or dir= in a list")
    }
    let directory = own.dir.map { surroundings.withoutParents(surroundings.absolute($0)) } ?? template.place.directory
    let place = own.dir == nil ? template.place.place : DirectoryPlace(directory)
    try answer.refuseTwins(try await DownloadManager.foldingHere(place), text)
    let group = count == 1 ? nil : JobGroup(source: name.label, directory: directory)
    for entry in answer.entries {
      var one = own
      (one.name, one.group) = (nil, group)
      one.source = answer.reference(to: entry, of: name)
      try list.append(
        entry.file, to: one, keepsName: own.out == nil && own.patternName == nil && arguments.output == nil, line: line,
        place: text)
    }
  }

  /// Adds the files of a name, in the cache of the official client.
  private func addToCache(
    _ answer: SourceAnswer, of name: SourceName, _ own: LineOptions, _ line: Int32, _ arguments: JobArguments,
    to list: inout InputList
  ) throws(Failure) {
    let text = name.shown
    guard name.scheme == HubName.scheme else { throw OptionValue.bad("--hf-cache", "\(text) is not a name of hf:") }
    guard own.out == nil, own.patternName == nil, own.adopts == nil, arguments.output == nil else {
      throw OptionValue.bad("--hf-cache", "files in the cache are named by their digests: omit the name")
    }
    // A directory in the configuration is the one for downloads, not the cache.
    let typed = CommandContext.current.configured.contains("dir") ? nil : arguments.dir
    let chosen = own.dir ?? typed ?? TokenPlaces.user.huggingFaceCache
    guard let directory = chosen.map({ surroundings.withoutParents(surroundings.absolute($0)) }) else {
      throw OptionValue.bad("--hf-cache", "there is no home directory: set HF_HUB_CACHE, or use --dir")
    }
    let cache = try HuggingFaceCache(answer, asked: name)
    try cache.prepare(in: DirectoryPlace(directory))
    let snapshot = CacheSnapshot(
      path: PathText.join(directory, cache.snapshot), blobs: PathText.join(directory, cache.blobs))
    if !list.snapshots.contains(snapshot) { list.snapshots.append(snapshot) }
    let group =
      cache.answer.entries.count < 2 ? nil : JobGroup(source: name.text, directory: directory)
    for entry in cache.answer.entries {
      var one = own
      (one.name, one.group, one.dir) = (nil, group, directory)
      one.source = cache.answer.reference(to: entry, of: name)
      try list.append(entry.file, to: one, keepsName: true, line: line, place: text)
    }
  }
}

extension SourceAnswer {
  /// This answer with the files that a filter selects.
  func filtered(_ filter: TreeFilter) -> SourceAnswer {
    guard filter != TreeFilter() else { return self }
    var answer = self
    answer.entries = entries.filter { filter.takes($0.path.split(separator: "/").map(String.init)) }
    return answer
  }

  /// Refuses an answer without files.
  /// - Parameters:
  ///   - filter: The filter that was applied.
  ///   - name: The name without its secrets.
  /// - Throws: Kind `usage`.
  func refuseEmpty(_ filter: TreeFilter, _ name: String) throws(Failure) {
    guard entries.isEmpty else { return }
    guard !filter.includes.isEmpty || !filter.excludes.isEmpty else {
      // The remarks on skipped files explain why none is left.
      let others = remarks.count > 3 ? ["and \(remarks.count - 3) more"] : []
      throw Failure(.usage, name, (["it has no files"] + remarks.prefix(3) + others).joined(separator: "; "))
    }
    throw Failure(
      .usage, name, "no file matches --include and --exclude", advice: Advice("`dray info \(name)` lists all"))
  }

  /// The sum of the known sizes; `nil` if none is known.
  var size: Int64? {
    let sizes = entries.compactMap(\.file.size)
    return sizes.isEmpty ? nil : sizes.reduce(0) { $0.addingReportingOverflow($1).overflow ? .max : $0 + $1 }
  }

  /// `12 files, 4.1 GiB, revision 0123abcd`.
  var summary: String {
    var words = ["\(entries.count) file\(entries.count == 1 ? "" : "s")"]
    let areKnown = entries.allSatisfy { $0.file.size != nil }
    if let size { words.append((areKnown ? "" : "at least ") + ByteCount.text(size)) }
    if let revision { words.append("revision \(revision)") }
    return words.joined(separator: ", ")
  }

  /// Refuses files that would have the same path in the directory.
  /// - Throws: Kind `file`; nothing is queued.
  func refuseTwins(_ folding: NameFolding, _ name: String) throws(Failure) {
    let names = entries.map { $0.file.name ?? $0.path }
    let twins = zip(names, SyncDecision.twins(names, folding)).filter { $0.1 != nil }
    guard let first = twins.first else { return }
    throw Failure(
      .file, name,
      "\(first.0) and \(first.1 ?? "") have the same path here, as the directory does not tell \(folding.words) apart",
      advice: "choose another directory with \(.directory), or leave one out with --exclude")
  }
}

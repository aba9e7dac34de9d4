// `dray add --unique`: queues a list of any length piece by piece, without the URLs for which a job already exists. If
// the command was interrupted, running it again continues it.

internal import DrayDocuments
internal import DrayKit
internal import DrayStore
internal import Posix

struct UniqueCount: Sendable, Equatable {
  var queued = 0
  /// The number of URLs for which a job already exists, or that occur again in the list.
  var known = 0
}

struct UniqueList {
  let arguments: JobArguments
  let template: JobTemplate
  let surroundings: Surroundings
  let shape: RequestShape

  /// The number of bytes that are read at once, which is enough for about ten thousand URLs.
  private static let chunk = 1 << 20

  /// Checks that the options can be combined with `--unique`.
  /// - Throws: Kind `usage`.
  static func check(_ arguments: JobArguments, _ shape: RequestShape) throws(Failure) {
    let others: [(name: String, isGiven: Bool)] = [
      ("-M", arguments.metalinkFile != nil), ("--metalink", arguments.metalink),
      ("--catalog", arguments.catalog != nil), ("a body or another method", shape.source != nil || shape.method != nil),
    ]
    let other = others.first(where: \.isGiven)?.name
    if let other {
      throw OptionValue.bad("--unique and \(other)", "it is for plain URLs and lists of them: leave one out")
    }
  }

  /// Queues the whole list.
  /// - Parameters:
  ///   - add: Queues the jobs of one piece.
  ///   - report: Called with what became of the jobs of each piece, after they are on the disk.
  func queue(
    in manager: DownloadManager, say: (String) -> Void,
    add: (SpecificationList, DownloadManager) async throws(Failure) -> [Admission], report: ([Admission]) -> Void
  ) async throws(Failure) -> UniqueCount {
    var count = UniqueCount()
    var own = arguments
    own.inputFile = nil
    var said: Set<String> = []
    func addPiece(_ list: InputList) async throws(Failure) {
      let fresh = try await unknown(list, manager, &count)
      guard !fresh.entries.isEmpty else { return }
      let jobs = try SpecificationList(fresh, template, arguments, surroundings, shape)
      for line in jobs.remarks where said.insert(line).inserted { say(line) }
      let admissions = try await add(jobs, manager)
      count.queued += admissions.count
      report(admissions)
    }
    if !own.urls.isEmpty { try await addPiece(try Operands.list(own, surroundings)) }
    guard let file = arguments.inputFile else { return count }
    try await read(file) { (bytes, line) async throws(Failure) in
      var list = InputList()
      try list.read(
        bytes, name: file == "-" ? "standard input" : TextSafety.escaped(file), after: line, mayBeEmpty: true)
      try await addPiece(list)
    }
    return count
  }

  /// Returns the entries for whose URLs no job exists; each URL is included once.
  private func unknown(
    _ list: InputList, _ manager: DownloadManager, _ count: inout UniqueCount
  ) async throws(Failure) -> InputList {
    if let name = list.firstName {
      throw OptionValue.bad("--unique and \(name.shown)", "it is for plain URLs: leave one out")
    }
    let spelled = list.entries.flatMap { entry in
      let spellings = entry.url.spellings
      return spellings.count == 1 ? [entry.url] : spellings.compactMap { try? RequestURL.parse($0).url }
    }
    let known = Set(
      try await manager.jobs.known(spelled).map { RequestURL(normalized: $0)?.normal ?? $0 })
    var seen: Set<String> = []
    var fresh = list
    fresh.keepOnly { url in !known.contains(url.normal) && seen.insert(url.normal).inserted }
    count.known += list.entries.count - fresh.entries.count
    return fresh
  }

  private func read(
    _ file: String, _ take: ([UInt8], _ line: Int) async throws(Failure) -> Void
  ) async throws(Failure) {
    var descriptor: Int32 = 0
    if file == "-" {
      try surroundings.input.reserve("--input-file")
    } else {
      let path = try surroundings.checkSource(file, "--input-file")
      do throws(SystemError) { descriptor = try System.openToRead(path) } catch {
        throw OptionValue.bad("--input-file \(TextSafety.escaped(file))", error.text)
      }
    }
    defer { if descriptor > 0 { System.close(descriptor) } }
    var cutter = ListCutter()
    while true {
      let bytes: [UInt8]
      do throws(SystemError) { bytes = try System.read(descriptor, limit: UniqueList.chunk) } catch {
        throw OptionValue.bad("--input-file \(TextSafety.escaped(file))", "it cannot be read: \(error.text)")
      }
      let isEnd = bytes.count < UniqueList.chunk
      let line = cutter.lines
      let piece = try cutter.take(bytes, isEnd: isEnd)
      if !piece.isEmpty { try await take(piece, line) }
      if isEnd { return }
    }
  }
}

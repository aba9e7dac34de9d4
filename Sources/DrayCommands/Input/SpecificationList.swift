// The jobs of a command line. All of them are checked before the first one is added.

internal import DrayDocuments
internal import DrayKit
internal import Posix

/// The jobs of a command line. Each entry takes little memory, and becomes a specification only when it is read.
struct SpecificationList: RandomAccessCollection, Sendable {
  private var template: JobTemplate
  /// A job without options of its own, if all such jobs differ only in their URLs. A long list consists mostly of such
  /// jobs.
  private var common: JobSpecification?
  private let list: InputList
  /// The places of those entries that have options, in the order of the options.
  private let places: [TargetPlace]
  /// The other settings of those entries that have options, in the order of the options.
  private let settings: [SettingPatch?]
  /// Remarks of one line each, on options that have no effect for some schemes, and on more connections than servers
  /// usually accept.
  private(set) var remarks: [String] = []
  /// The partial files that jobs continue, by the index of the job.
  private var adoptions: [Int: Adoption] = [:]
  /// The names of the existing jobs that entries stand for, as their users gave them, by the index of the entry.
  private var ownNames: [Int: String?] = [:]

  /// Creates the jobs of a list.
  /// - Throws: Kind `usage`; nothing has been changed at that point.
  init(
    _ list: InputList, _ template: JobTemplate, _ arguments: JobArguments, _ surroundings: Surroundings,
    _ shape: RequestShape
  ) throws(Failure) {
    guard !list.entries.isEmpty else {
      throw OptionValue.bad("no URL is given", "add one, or name a list with -i")
    }
    if let name = list.firstName {
      throw OptionValue.bad(
        name.shown, "names are not looked up here", advice: "`dray get`, `add` and `info` do it")
    }
    try list.checkNames(arguments.outputs.first)
    var (list, template) = (list, template)
    if shape.changesURLs { try list.changeURLs { (url) throws(Failure) in try shape.url(url) } }
    try SpecificationList.addMirrors(arguments.mirror, to: &list, shape)
    try AdoptionInput.add(arguments, to: &list, shape, surroundings)
    try SeedDocuments.check(arguments, list)
    for entry in list.entries { try template.prepare(for: entry.url) }
    self.template = template
    places = try SpecificationList.places(list, template, surroundings, arguments)
    settings = try SpecificationList.settings(list, surroundings, file: arguments.inputFile)
    self.list = list
    common = list.entries.first.flatMap { template.common(with: $0.url) }
    let kinds = ofEachKind
    remarks = list.remarks + (try SpecificationList.checkSchemes(of: kinds))
    for job in kinds {
      try template.checkAccess(to: job)
      let lines = try ObjectInput.check(job, configured: CommandContext.current.configured)
      for line in lines where !remarks.contains(line) { remarks.append(line) }
    }
    let most = ([template.options.maxConnections] + list.options.map { $0["max-connections"].flatMap { Int($0) } })
      .compactMap(\.self).max()
    if let warning = ConnectionArguments.warning(most) { remarks.append(warning) }
    if arguments.partName == .visible,
      let name = lazy.compactMap({ $0.options.partStem }).first(where: PartName.cuts)
    {
      remarks.append(
        "--part-name visible: \(TextSafety.escaped(name.start(40)))… is too long; its part file has the beginning only")
    }
    if arguments.adoptTarget { adoptBegun(surroundings.kind, needsRecord: false) }
  }

  private static func addMirrors(_ urls: [String], to list: inout InputList, _ shape: RequestShape) throws(Failure) {
    guard let own = list.entries.first?.url, !urls.isEmpty else { return }
    guard list.entries.count == 1 else {
      throw OptionValue.bad(
        "--mirror", "it is for one file, and there are \(list.entries.count)",
        advice: "in a list for -i, put mirrors after the URL, separated by tabs")
    }
    guard shape.isSafe else {
      throw OptionValue.bad("--mirror", "a request that sends data is made once, to one server: omit it")
    }
    for text in urls {
      guard (try? RequestURL.parse(text))?.userInfo == nil else {
        throw OptionValue.bad(
          "--mirror", "user name and password go to the first URL only",
          advice: "put those of a mirror into a [host.\"…\"] section of the configuration")
      }
      try list.changeLast { (last: inout LineOptions) throws(Failure) in
        try last.addMirror(text, "--mirror")
        last.mirrors.removeAll { $0 == own }
      }
    }
  }

  mutating func send(_ body: RequestBody, of shape: RequestShape) {
    template.send(body, of: shape)
    common = common.flatMap { template.common(with: $0.request.url) }
  }

  /// Marks all jobs as one-off, so that lists hide them some time after they are complete.
  mutating func markOneOff() {
    template.markOneOff()
    common?.options.isOneOff = true
  }

  var startIndex: Int { 0 }
  var endIndex: Int { list.entries.count }

  subscript(index: Int) -> JobSpecification {
    let entry = list.entries[index]
    var job = entry.options < 0 ? plain(entry) : special(entry)
    if let adopted = adoptions[index] { job.options.adopts = adopted }
    if let name = ownNames[index] { job.output = name }
    return job
  }

  private func plain(_ entry: InputList.Entry) -> JobSpecification {
    guard var job = common else { return template.specification(entry, LineOptions(), template.place) }
    job.request.url = entry.url
    return job
  }

  private func special(_ entry: InputList.Entry) -> JobSpecification {
    var job = template.specification(entry, list.options(of: entry), places[Int(entry.options)])
    settings[Int(entry.options)]?.apply(to: &job)
    return job
  }

  /// Marks an entry as one for an existing job with the entry's URL and directory.
  mutating func stand(for job: Job, at index: Int) { ownNames[index] = .some(job.specification.output) }

  /// Lets each job continue a file that another program began, if there is one under the name of the job's file.
  /// - Parameter needsRecord: Whether this is done only if aria2's control file for an unfinished download exists
  ///   beside the file.
  mutating func adoptBegun(_ kind: (String) -> System.Kind, needsRecord: Bool = true) {
    for index in indices {
      let job = self[index]
      let name = job.output ?? FileName.fromURLPath(job.request.url.path)
      let path = PathText.join(job.directory, name)
      guard job.place.traits.holdsFiles, job.request.isSafe, Scheme(job.request.url)?.speaksHTTP ?? false,
        job.options.resume != .never,
        job.request.cache?.ifChanged == nil, job.options.adopts == nil, kind(path) == .file,
        needsRecord
          ? kind(path + Adoption.controlSuffix) == .file : [.fail, .overwrite].contains(job.options.onConflict)
      else { continue }
      do throws(Failure) { adoptions[index] = try Adoption.look(at: path) } catch { remarks.append(error.message) }
    }
  }

  func exported(_ index: Int) -> ExportedJob { list.options(of: list.entries[index]).exported }

  /// Refuses requests whose options their scheme does not support.
  /// - Returns: The options that have no effect in other requests, one in each line.
  /// - Throws: Kind `usage` with the URL.
  private static func checkSchemes(of kinds: [JobSpecification]) throws(Failure) -> [String] {
    var lines: [String] = []
    for specification in kinds {
      for line in try SchemeInput.check(specification.request) where !lines.contains(line) { lines.append(line) }
    }
    return lines
  }

  /// One job of each kind. Entries with the same scheme and without options are of the same kind.
  var ofEachKind: [JobSpecification] {
    var schemes: Set<String> = []
    return indices.filter { index in
      let entry = list.entries[index]
      return entry.options >= 0 || schemes.insert(entry.url.scheme).inserted
    }.map { self[$0] }
  }

  /// The parts in which the jobs are queued.
  ///
  /// While later parts are being added, the first jobs of a long list are already fetched. There is only one part if
  /// the jobs have an order, or if a later job could be refused because its name is taken or a prerequisite is missing.
  var parts: [Range<Int>] {
    let isUniform = list.options.isEmpty && first.map { $0.output == nil && $0.request.body == nil } ?? true
    guard isUniform, template.after.isEmpty, !template.ifChanged else { return [0..<count] }
    return SpecificationList.parts(of: count)
  }

  /// Returns the parts of a list with a given number of entries. The first part is small, so that its jobs are queued
  /// soon. The second has 512 jobs, and each later one 4096: every part is a transaction that waits for the disk once,
  /// and none keeps the store busy for long.
  static func parts(of count: Int) -> [Range<Int>] {
    guard count > 2 * 64 else { return [0..<count] }
    var (parts, size) = ([0..<64], 512)
    while let begin = parts.last?.upperBound, begin < count {
      parts.append(begin..<Swift.min(begin + size, count))
      size = Swift.min(8 * size, 4096)
    }
    return parts
  }

  var assumedOrigins: Set<String> { list.assumedOrigins }

  /// The snapshots in which programs find the files.
  var snapshots: [CacheSnapshot] { list.snapshots }

  var isInsecure: Bool {
    first?.request.isInsecure ?? false || list.options.contains(where: \.isInsecure)
  }

  /// The indexes of the jobs that are paused when they are queued.
  var paused: [Int] {
    guard list.options.contains(where: \.isPaused) else { return [] }
    return indices.filter { list.options(of: list.entries[$0]).isPaused }
  }

  private static func line(_ number: Int32, _ file: String?) -> String {
    "\(file.map { $0 == "-" ? "standard input" : TextSafety.escaped($0) } ?? "list"):\(number)"
  }

  private static func settings(
    _ list: InputList, _ surroundings: Surroundings, file: String?
  ) throws(Failure) -> [SettingPatch?] {
    var patches = [SettingPatch?](repeating: nil, count: list.options.count)
    // Most jobs of a list have the same settings. Settings that are equal are checked only once.
    var known: [SettingPatch.Key: SettingPatch] = [:]
    for entry in list.entries where entry.options >= 0 {
      let given = list.options(of: entry).settings
      guard !given.isEmpty else { continue }
      let key = SettingPatch.Key(given: given, origin: entry.url.origin.description)
      let patch: SettingPatch
      if let made = known[key] {
        patch = made
      } else {
        let source: SettingPatch.Source = list.isOwn ? .exported : .list
        let lines = list.options(of: entry).lines
        let place = { (name: String) in line(lines[name] ?? entry.line, file) + ": \(name)=" }
        do throws(Failure) {
          patch = try SettingPatch(given, for: entry.url, source, surroundings, place: place)
        } catch {
          // A check of several options together names the option of the command line in its error.
          var failure = error
          let name = failure.subject.dropFirst(2).prefix { !$0.isWhitespace && $0 != "=" }
          if failure.subject.hasPrefix("--"), lines[String(name)] != nil { failure.subject = place(String(name)) }
          throw failure
        }
        known[key] = patch
      }
      patches[Int(entry.options)] = patch
    }
    return patches
  }

  private static func places(
    _ list: InputList, _ template: JobTemplate, _ surroundings: Surroundings, _ arguments: JobArguments
  ) throws(Failure) -> [TargetPlace] {
    var places = [TargetPlace](repeating: template.place, count: list.options.count)
    var checked: Set<String> = [template.place.directory]
    for entry in list.entries where entry.options >= 0 {
      let own = list.options(of: entry)
      if let name = own.patternName {
        let place = try TargetPlace(
          dir: arguments.dir(for: name).map(surroundings.homed), output: surroundings.homed(name),
          base: surroundings.currentDirectory, kind: surroundings.kind, resolve: surroundings.withoutParents)
        if checked.insert(place.directory).inserted { try surroundings.checkDirectory(place.directory, "--output") }
        places[Int(entry.options)] = place
      }
      guard own.out != nil || own.dir != nil else { continue }
      let line = { (name: String) in self.line(own.lines[name] ?? entry.line, arguments.inputFile) }
      let base = own.dir == nil ? template.place.directory : surroundings.currentDirectory
      let place = try TargetPlace(
        dir: own.dir.map(surroundings.homed), output: own.out, base: base,
        names: ("\(line("dir")): dir=", "\(line("out")): out="),
        isForeign: true,
        resolve: surroundings.withoutParents)
      if checked.insert(place.directory).inserted {
        try surroundings.checkDirectory(place.directory, line("dir"))
      }
      places[Int(entry.options)] = place
    }
    return places
  }
}

extension RequestShape {
  /// Copies the body to a temporary file if there is one, and gives it to the jobs of `list`.
  /// - Returns: The body, which the caller must keep until the jobs are added.
  func spool(
    for list: inout SpecificationList, _ write: (RequestBodySource) async throws(Failure) -> SpooledBody
  ) async throws(Failure) -> SpooledBody? {
    guard let source else { return nil }
    let spooled = try await write(source)
    list.send(spooled.body, of: self)
    return spooled
  }
}

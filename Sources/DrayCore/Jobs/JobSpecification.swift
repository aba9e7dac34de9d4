/// A job before it has a number: the file to fetch, and where to store it.
public struct JobSpecification: Sendable, Equatable {
  /// The request.
  @inlinable public var request: TransferRequest {
    _read { yield sharedRequest.value }
    _modify { yield &sharedRequest.value }
  }
  /// The options in addition to the request.
  @inlinable public var options: JobOptions {
    _read { yield sharedOptions.value }
    _modify { yield &sharedOptions.value }
  }
  /// The absolute path of the target's directory; for an object, `s3://BUCKET/PREFIX` (``ObjectPlace/path``).
  public var directory: String
  /// The number of components at the end of ``directory`` that came from a document or a list (``DirectoryPlace``).
  public var foreignDepth: Int
  /// The file name that the user gave (`-o`), as one component; `nil` if the server names the file.
  public var output: String?
  /// The priority. Jobs with a higher priority run first.
  public var priority: Int
  /// The time before which the job does not start, in seconds since 1970.
  public var startAt: Double?
  /// The times at which the job is transferred; `nil` for all.
  public var window: TransferWindow?
  /// The jobs that must be complete before this one starts. For a job that was read from the store this is empty,
  /// because the store has prerequisites in a table of their own.
  public var after: [JobID]
  /// The named queue whose limits apply to the job; `nil` for none.
  public var queue: String?
  /// The group to which the job is added. For a job that was read from the store, this is `nil`, and ``Job/group`` has
  /// the group.
  public var group: JobGroup?

  /// The names of the settings that the request gives, if they are known. A repeated request changes only these
  /// settings (`AskedAgainRule.merged`). The store does not keep these names.
  public var given: Set<String>?
  /// The names among ``given`` that a document states: a manifest with its lock, a Metalink file, a source. Nobody typed
  /// them, so they are not reported as changed options. The store does not keep these names.
  package var stated: Set<String> = []

  @usableFromInline var sharedRequest: Shared<TransferRequest>
  @usableFromInline var sharedOptions: Shared<JobOptions>

  /// Creates a specification.
  public init(
    request: TransferRequest, options: JobOptions = JobOptions(), directory: String, foreignDepth: Int = 0,
    output: String? = nil, priority: Int = 0, startAt: Double? = nil, after: [JobID] = []
  ) {
    sharedRequest = Shared(request)
    sharedOptions = Shared(options)
    self.directory = directory
    self.foreignDepth = foreignDepth
    self.output = output
    self.priority = priority
    self.startAt = startAt
    self.after = after
  }

  /// Whether no step of an attempt precedes the request.
  public var startsPlain: Bool { request.isSafe && request.cache?.ifChanged == nil && options.startPlain }

  /// Whether an attempt is only a transfer: no step precedes the request, and a whole file is published without a
  /// check.
  public var isPlain: Bool { startsPlain && options.arePlain }

  /// The maximum number of connections to the file. If the destination keeps only whole parts, the default is one
  /// connection: with several, more unfinished parts are lost when connections break off, and the transfer is seldom
  /// faster.
  public var mostConnections: Int {
    options.maxConnections ?? (place.traits.keepsWholePartsOnly ? 1 : JobOptions.defaultConnections)
  }

  /// The visible beginning of a part file's name: the file's own name, or else the one in the URL.
  public var visibleStem: String { output ?? FileName.fromURLPath(request.url.path) }

  /// Gives the part file of a new job a visible name, if the file is to be read while it arrives.
  public mutating func namePartInOrder() {
    if options.inOrder ?? false, place.traits.holdsFiles { options.partStem = options.partStem ?? visibleStem }
  }

  /// The directories of the target and of the part file, with the number of components in each that the user did not
  /// name.
  public var place: DirectoryPlace {
    let isObject = directory.hasPrefix(ObjectPlace.start)
    return DirectoryPlace(
      directory, foreignDepth: foreignDepth, parts: isObject ? nil : options.partDirectory,
      access: isObject ? options.object?.access : nil)
  }
}

extension JobSpecification {
  /// The options of the object. They are stored as `nil` if all of them are defaults.
  public var objectOptions: ObjectOptions {
    get { options.object ?? ObjectOptions() }
    set { options.object = newValue == ObjectOptions() ? nil : newValue }
  }
}

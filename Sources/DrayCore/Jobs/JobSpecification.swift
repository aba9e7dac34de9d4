// What to fetch and where to put it.

/// What to fetch and where to put it: a job before it has a number.
public struct JobSpecification: Sendable, Equatable {
  /// The request.
  public var request: TransferRequest
  /// The options in addition to the request.
  public var options: JobOptions
  /// The directory of the target, an absolute path.
  public var directory: String
  /// How many components at the end of ``directory`` came from a document or a list (``DirectoryPlace``).
  public var foreignDepth: Int
  /// The file name that the user gave (`-o`), one component; `nil` if the server names it.
  public var output: String?
  /// Higher runs first.
  public var priority: Int
  /// The job does not start before this time, in seconds since 1970.
  public var startAt: Double?
  /// The jobs that must be complete before it starts. Of a job that is in the store these are in the store's own table,
  /// and this is empty.
  public var after: [JobID]
  /// The group that the job is added to. Of a job that is in the store it is ``Job/group``, and this is `nil`.
  public var group: JobGroup?

  /// Makes a specification.
  public init(
    request: TransferRequest, options: JobOptions = JobOptions(), directory: String, foreignDepth: Int = 0,
    output: String? = nil, priority: Int = 0, startAt: Double? = nil, after: [JobID] = []
  ) {
    self.request = request
    self.options = options
    self.directory = directory
    self.foreignDepth = foreignDepth
    self.output = output
    self.priority = priority
    self.startAt = startAt
    self.after = after
  }

  /// Whether an attempt is only a transfer: no step precedes its request, and a whole file is published without a check.
  public var isPlain: Bool { request.isSafe && request.cache?.ifChanged == nil && options.arePlain }

  /// The directory of the target, as it is to be opened.
  public var place: DirectoryPlace { DirectoryPlace(directory, foreignDepth: foreignDepth) }
}

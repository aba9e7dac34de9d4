// The facts that `dray doctor` judges.

internal import DrayKit
internal import DrayStore

struct DoctorFacts: Sendable {
  enum Place: Equatable, Sendable {
    case missing
    case unreadable(String)
    /// A file with this number of certificates.
    case certificates(Int)
    case directory
  }

  enum Store: Equatable, Sendable {
    case missing
    case refused(String)
    /// The number of jobs, and the number of runners at work.
    case open(jobs: Int, runners: Int)
  }

  enum Service: Equatable, Sendable {
    /// This system has no systemd.
    case impossible
    case missing
    /// The path of the unit's file.
    case installed(String)
  }

  var library: LibraryFacts
  var certificates: (path: String, place: Place)?
  var environment: [String: String]
  /// Seconds since 1970, and the time of the newest job.
  var now: Double
  var newest: Double?
  var directory: String
  var abilities: Result<DirectoryAbilities, Failure>
  /// The state directory, the permissions of its database, and the state of its store.
  var state: (path: String, mode: UInt32?, isRemote: Bool, store: Store)
  /// The database of a fleet; `nil` on one machine, or if it cannot be reached.
  var database: DatabaseFacts?
  var shares: [ShareState] = []
  var configuration: Failure?
  /// The shell, and its file of completions.
  var shell: String?
  var completions: String?
  var service: Service
  var holds: [OriginHold] = []
  /// The maximum number of open files; `nil` if unknown.
  var descriptors: UInt64?
}

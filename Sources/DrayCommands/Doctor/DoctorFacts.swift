// The facts from which `dray doctor` derives its findings.

internal import DrayKit
internal import DrayStore

struct DoctorFacts: Sendable {
  enum Place: Equatable, Sendable {
    case missing
    case unreadable(String)
    /// A file that contains this number of certificates.
    case certificates(Int)
    case directory
  }

  enum Store: Equatable, Sendable {
    case missing
    case refused(String)
    /// The number of jobs, and the number of runners that are working.
    case open(jobs: Int, runners: Int)
  }

  enum Service: Equatable, Sendable {
    /// This system has no systemd.
    case impossible
    case missing
    /// The path of the unit file.
    case installed(String)
  }

  var library: LibraryFacts
  var certificates: (path: String, place: Place)?
  var environment: [String: String]
  /// The present time in seconds since 1970, and the time at which the newest job was added.
  var now: Double
  var newest: Double?
  var directory: String
  var abilities: Result<DirectoryAbilities, Failure>
  /// The state directory, the permissions of its database, and the state of the store in it.
  var state: (path: String, mode: UInt32?, isRemote: Bool, store: Store)
  /// The database of a fleet; `nil` for a store on one machine, and if the database cannot be reached.
  var database: DatabaseFacts?
  var shares: [ShareState] = []
  var configuration: Failure?
  /// The schemes of sources whose program was not found, with the program.
  var missingPrograms: [(scheme: String, program: String)] = []
  /// The user's shell, and the path of its completions.
  var shell: String?
  var completions: String?
  var service: Service
  var browsers = BrowserFacts()
  var holds: [OriginHold] = []
  /// The maximum number of open files; `nil` if it is unknown.
  var descriptors: UInt64?
}

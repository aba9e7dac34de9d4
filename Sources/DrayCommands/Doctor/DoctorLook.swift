// Collects the facts for `dray doctor` from files, the environment and the store. It changes nothing, except that it
// creates a temporary file in the directory as a test.

internal import DrayKit
internal import DrayStore
internal import Posix
internal import Threads

enum DoctorLook {
  /// Collects the facts.
  /// - Parameters:
  ///   - directory: The directory for downloads.
  ///   - configuration: The error in the configuration; `nil` if there is none.
  static func facts(_ directory: String, configuration: Failure?) async -> DoctorFacts {
    let environment = ProcessVariables.all
    let library = DownloadManager.library
    let (state, newest) = await self.state()
    let abilities: Result<DirectoryAbilities, Failure>
    do throws(Failure) { abilities = .success(try await DownloadManager.tryOut(directory)) } catch {
      abilities = .failure(error)
    }
    let shell = environment["SHELL"].map { PathText.name(of: $0) }
    let database: DatabaseFacts? = if case .refused = state.store { nil } else { await self.database() }
    return DoctorFacts(
      library: library, certificates: certificates(library), environment: environment, now: WallClock.now(),
      newest: newest, directory: directory, abilities: abilities, state: state, database: database,
      shares: (try? await Store.look()?.shareStates()) ?? [], configuration: configuration,
      missingPrograms: missingPrograms(environment), shell: shell,
      completions: shell.flatMap { completions($0, environment) }, service: service(environment),
      browsers: browsers(environment), holds: (try? await Store.look()?.holds()) ?? [],
      descriptors: System.descriptorLimit)
  }

  private static func missingPrograms(_ environment: [String: String]) -> [(scheme: String, program: String)] {
    CommandContext.current.sources.rows.compactMap { row in
      guard let source = row as? ProgramSource, let program = source.program.command.first,
        ProgramPath.find(program, environment) == nil
      else { return nil }
      return (source.scheme, program)
    }
  }

  private static func certificates(_ library: LibraryFacts) -> (path: String, place: DoctorFacts.Place)? {
    if let path = library.caFile {
      do throws(SystemError) {
        let text = String(decoding: try System.read(path, limit: 16 << 20), as: UTF8.self)
        return (path, .certificates(text.split(separator: "\n").count { $0.hasPrefix("-----BEGIN ") }))
      } catch {
        guard let directory = library.caDirectory, System.kind(directory) == .directory else {
          return (path, System.kind(path) == .missing ? .missing : .unreadable(error.text))
        }
      }
    }
    guard let directory = library.caDirectory else { return nil }
    return (directory, System.kind(directory) == .directory ? .directory : .missing)
  }

  private static func state() async -> (
    state: (path: String, mode: UInt32?, isRemote: Bool, store: DoctorFacts.Store), newest: Double?
  ) {
    let configuration: Configuration
    do throws(Failure) { configuration = try Store.user() } catch {
      return (("the state directory", nil, false, .refused(error.message)), nil)
    }
    // The advice about permissions and network file systems concerns only the file of a store on this machine.
    let isShared = configuration.store.isShared
    let path = isShared ? configuration.store.path : configuration.home.path
    let mode = isShared ? nil : (try? System.ownership(of: configuration.store.path))?.mode
    let isRemote = !isShared && System.isRemote(path)
    do throws(Failure) {
      guard let manager = try await Store.look() else { return ((path, mode, isRemote, .missing), nil) }
      let jobs = try await manager.jobs.counts(ids: nil).values.reduce(0, +)
      // Numbers are never reused, so the job with the highest number may no longer exist.
      let newest = try await manager.jobs.newest(states: Set(JobState.allCases), idsBeginningWith: "", limit: 1).first
      let runners = try await manager.runnerCount()
      return ((path, mode, isRemote, .open(jobs: jobs, runners: runners)), newest?.addedAt)
    } catch {
      return ((path, mode, isRemote, .refused(error.message)), nil)
    }
  }

  private static func completions(_ shell: String, _ environment: [String: String]) -> String? {
    let home = environment["HOME"] ?? ""
    let data = environment["XDG_DATA_HOME"] ?? "\(home)/.local/share"
    let shared = (environment["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share").split(separator: ":").map(String.init)
    let names: [String]
    switch shell {
    case "bash": names = ([data] + shared).map { "\($0)/bash-completion/completions/dray" }
    case "zsh":
      let places = (environment["FPATH"] ?? "").split(separator: ":").map(String.init)
      names =
        places.map { "\($0)/_dray" }
        + shared.flatMap { ["\($0)/zsh/site-functions/_dray", "\($0)/zsh/vendor-completions/_dray"] }
    case "fish":
      names =
        ["\(environment["XDG_CONFIG_HOME"] ?? "\(home)/.config")/fish/completions/dray.fish"]
        + ([data] + shared).map { "\($0)/fish/vendor_completions.d/dray.fish" }
    default: return nil
    }
    return names.first(where: System.isFile)
  }

  private static func service(_ environment: [String: String]) -> DoctorFacts.Service {
    guard System.kind("/run/systemd/system") == .directory else { return .impossible }
    let configuration = environment["XDG_CONFIG_HOME"] ?? "\(environment["HOME"] ?? "")/.config"
    let places = [
      "\(configuration)/systemd/user", "/etc/systemd/user", "/usr/local/lib/systemd/user", "/usr/lib/systemd/user",
    ]
    return places.map { "\($0)/dray.service" }.first(where: System.isFile).map { .installed($0) } ?? .missing
  }
}

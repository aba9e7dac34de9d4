// Reads from options and environment how a service is to be set up. Everything is checked before anything is changed.

internal import DrayDocuments
internal import DrayKit
internal import DrayServer
internal import DrayStore
internal import Logging
internal import Posix
internal import WebServer

struct ServiceSetup: Sendable {
  var addresses: [ListenAddress]
  /// Whether the user named no address. In that case, listeners from systemd are enough.
  var isUsual: Bool
  /// The access rules; the secret is added later.
  var policy: AccessPolicy
  var secret: SecretPlace
  var forgoesSecret: Bool
  var rule: OutsideRule
  /// The directory for jobs that name no directory.
  var directory: String
  var level: Logger.Level
  var logFile: String?

  /// Reads the options of the command line.
  /// - Throws: Kind `usage`.
  static func make(
    _ options: ServeArguments, _ surroundings: Surroundings, home: StateDirectory
  ) throws(Failure) -> ServiceSetup {
    let (rule, directory) = try rule(options, surroundings)
    let addresses = try (options.listen.isEmpty ? usual(home) : options.listen).map(address)
    guard let level = Logger.Level.offered.first(where: { $0.rawValue == options.logLevel }) else {
      let all = Logger.Level.offered.map(\.rawValue).joined(separator: ", ")
      throw OptionValue.bad("--log-level", "\(OptionValue.quote(options.logLevel)) is not one of \(all)")
    }
    let hasTCP = addresses.contains { $0.listenerKind != .socket }
    return ServiceSetup(
      addresses: addresses, isUsual: options.listen.isEmpty, policy: try policy(options),
      secret: try secret(options, surroundings.environment, home, hasTCP: hasTCP), forgoesSecret: options.noSecret,
      rule: rule, directory: directory, level: level,
      logFile: options.logFile.map { surroundings.absolute($0) })
  }

  /// Returns the rule for jobs of clients, and the directory for jobs that name no directory.
  /// - Throws: Kind `usage`.
  static func rule(
    _ options: ServeArguments, _ surroundings: Surroundings
  ) throws(Failure) -> (OutsideRule, directory: String) {
    let (directories, directory) = try places(options, surroundings)
    var rule = OutsideRule(
      directories: directories, grants: Set(try options.allow.map(grant)), deniesPrivate: options.denyPrivate)
    rule.home = userHome(surroundings.environment)
    return (rule, directory)
  }

  /// Includes the listeners that systemd passed. If other users can reach one of them, the service needs a secret,
  /// unless `--no-secret` is given.
  mutating func count(inherited listenerKinds: [ListenerKind], home: StateDirectory) {
    guard secret == .none, !forgoesSecret, listenerKinds.contains(where: { $0 != .socket }) else { return }
    secret = .ownFile(in: home)
  }

  /// Returns the allowed directories, and the directory for jobs that name no directory.
  private static func places(
    _ options: ServeArguments, _ surroundings: Surroundings
  ) throws(Failure) -> (AllowedDirectories, directory: String) {
    let absolute = { surroundings.withoutParents(surroundings.absolute($0)) }
    let roots = options.root.map(absolute)
    for (text, option) in options.root.map({ ($0, "--root") }) + [options.dir].compactMap(\.self).map({ ($0, "--dir") })
    where ObjectPlace.isMeant(by: text) {
      try surroundings.checkDirectory(text, option)
    }
    guard let directory = options.dir.map(absolute) ?? roots.first ?? downloads(surroundings.environment) else {
      throw OptionValue.bad("--root", "HOME is not set: name the directory that files may go to")
    }
    let directories = AllowedDirectories(roots.isEmpty ? [directory] : roots)
    guard let place = directories.place(directory) else {
      throw OptionValue.bad("--dir", "\(OptionValue.quote(directory)) is not below a --root")
    }
    return (directories, place.path)
  }

  private static func policy(_ options: ServeArguments) throws(Failure) -> AccessPolicy {
    var policy = AccessPolicy()
    policy.names = Set(options.hostName.map { $0.lowercased() })
    policy.origins = try options.allowOrigin.map(origin)
    if options.allowFilePages {
      guard !options.noSecret else {
        throw OptionValue.bad("--allow-file-pages", "any site can send what such pages send: omit --no-secret")
      }
      policy.origins.append(.file)
    }
    policy.trustsProxy = options.trustProxy
    return policy
  }

  /// Returns the place of the secret that the options or the environment name; if they name none, the place in the
  /// state directory.
  /// - Throws: Kind `usage` for a secret that cannot be used, and for a secret that is given together with
  ///   `--no-secret`.
  static func secret(
    _ options: ServeArguments, _ environment: [String: String], _ home: StateDirectory, hasTCP: Bool
  ) throws(Failure) -> SecretPlace {
    let source = SecretSource.choose(file: options.secretFile, environment: environment) { System.kind($0) != .missing }
    guard !options.noSecret else {
      guard source == nil else { throw OptionValue.bad("--no-secret", "a secret is given, too: omit one of them") }
      return .none
    }
    guard let source else { return hasTCP ? .ownFile(in: home) : .none }
    _ = try source.read()
    return .given(source)
  }

  static func usual(_ home: StateDirectory) -> [String] {
    let socket = socket(home)
    // The path of a socket has a maximum length.
    return ["127.0.0.1:6800"] + (socket.utf8.count <= System.longestSocketPath ? ["unix:" + socket] : [])
  }

  static func socket(_ home: StateDirectory) -> String { PathText.join(home.path, "serve.sock") }

  static func downloads(_ environment: [String: String]) -> String? {
    if let named = environment["XDG_DOWNLOAD_DIR"], named.hasPrefix("/") { return named }
    guard let home = userHome(environment) else { return nil }
    // Desktops store the localised name there.
    let own = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? PathText.join(home, ".config")
    let file = try? System.read(PathText.join(own, "user-dirs.dirs"), limit: 64 << 10)
    return file.flatMap { UserDirectories.downloads(in: String(decoding: $0, as: UTF8.self), home: home) }
      ?? PathText.join(home, "Downloads")
  }

  private static func userHome(_ environment: [String: String]) -> String? {
    environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? StateDirectory.passwordDatabaseHome()
  }

  private static func grant(_ text: String) throws(Failure) -> OutsideGrant {
    if let grant = OutsideGrant(rawValue: text) { return grant }
    let all = OutsideGrant.allCases.map(\.rawValue).joined(separator: ", ")
    throw OptionValue.bad("--allow", "\(OptionValue.quote(text)) is not one of \(all)")
  }

  private static func address(_ text: String) throws(Failure) -> ListenAddress {
    let address: ListenAddress
    do throws(ListenError) { address = try ListenAddress(text) } catch { throw Failure(error) }
    guard case .path(let path) = address, !path.hasPrefix("/") else { return address }
    throw OptionValue.bad("--listen", "\(OptionValue.quote(path)) is not an absolute path")
  }

  private static func origin(_ text: String) throws(Failure) -> WebOrigin {
    if let origin = WebOrigin(allowed: text) { return origin }
    throw OptionValue.bad(
      "--allow-origin", "\(OptionValue.quote(text)) is not an origin: write it like https://example.org")
  }
}

// `dray serve --install` and `--uninstall`: write and remove the systemd unit and its secret, and start and stop the
// service.

internal import DrayKit
internal import DrayServer
internal import DrayStore
internal import Posix

struct ServiceInstaller {
  private static let unit = "dray.service"
  private let environment: [String: String]
  /// The directory that `$XDG_CONFIG_HOME` names, or its default.
  private let directory: String

  /// - Throws: Kind `usage` if the home directory is not known.
  init(environment: [String: String] = ProcessVariables.all) throws(Failure) {
    self.environment = environment
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? StateDirectory.passwordDatabaseHome()
    let own = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    guard let directory = own ?? home.map({ PathText.join($0, ".config") }) else {
      throw OptionValue.bad("--install", "HOME is not set")
    }
    self.directory = directory
  }

  private var unitPath: String { "\(directory)/systemd/user/\(Self.unit)" }
  private var secretPath: String { "\(directory)/dray/secret" }

  /// Writes the unit and a secret, and starts the service.
  /// - Parameters:
  ///   - words: The command line without the name of the program.
  ///   - hasSecret: Whether the command line already names a secret.
  func install(_ words: [String], hasSecret: Bool) throws(Failure) -> ExitStatus {
    guard let program = System.programPath else {
      throw Failure(.other, "dray serve --install", "the system does not say which program this is")
    }
    var command = [program] + words
    if !hasSecret {
      try makeSecret()
      command += ["--secret-file", secretPath]
    }
    var unit = ServiceUnit(command: command, workingDirectory: System.currentDirectory)
    for name in ["DRAY_HOME", "DRAY_CONFIG", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
      if let value = environment[name], !value.isEmpty { unit.environment.append((name, value)) }
    }
    if let store = environment[StoreChoice.variable], !store.isEmpty {
      guard !StoreAddress.hasPassword(store) else {
        throw OptionValue.bad(
          StoreChoice.variable,
          "it has a password, and everyone can read a unit: put it into ~/.pgpass or a service file")
      }
      unit.environment.append((StoreChoice.variable, store))
    }
    try write(Array(unit.text.utf8), to: unitPath, mode: 0o644, isNew: false)
    Messages.print("wrote \(unitPath)")
    guard let systemctl = try systemctl() else {
      Messages.print("systemd does not run here; this line for cron (crontab -e) starts it:")
      ResultOutput.standard.write(unit.cronLine + "\n")
      return .other
    }
    try run(systemctl, ["daemon-reload"])
    try run(systemctl, ["enable", "--now", Self.unit])
    Messages.print("dray serve runs while you are logged in; `loginctl enable-linger` keeps it from boot on")
    return .success
  }

  /// Stops the service, and removes its unit. The secret stays, because clients still have it.
  func uninstall() throws(Failure) -> ExitStatus {
    guard System.kind(unitPath) != .missing else {
      Messages.print("nothing to remove: \(unitPath) does not exist")
      return .success
    }
    let systemctl = try systemctl()
    if let systemctl { try run(systemctl, ["disable", "--now", Self.unit]) }
    System.remove(unitPath)
    if let systemctl { try run(systemctl, ["daemon-reload"]) }
    Messages.print("removed \(unitPath); the secret stays in \(secretPath)")
    return .success
  }

  /// Creates the secret. If there is one already, it stays as it is.
  private func makeSecret() throws(Failure) {
    if System.kind(secretPath) != .missing {
      _ = try SecretSource.file(secretPath).read()
      return
    }
    try write(Array((Secret.randomText() + "\n").utf8), to: secretPath, mode: 0o600, isNew: true)
    Messages.print("wrote a secret to \(secretPath); clients need it")
  }

  private func write(_ bytes: [UInt8], to path: String, mode: UInt32, isNew: Bool) throws(Failure) {
    do throws(SystemError) {
      try System.makeDirectories(PathText.split(path).directory ?? "/", mode: 0o700)
      if !isNew { System.remove(path) }
      let descriptor = try System.create(path, mode: mode)
      defer { System.close(descriptor) }
      try System.write(bytes, to: descriptor)
    } catch {
      throw Failure(.file, path, "it cannot be written: \(error.text)")
    }
  }

  /// Returns the path of systemctl if systemd runs on this system (sd_booted(3)).
  private func systemctl() throws(Failure) -> String? {
    guard System.kind("/run/systemd/system") == .directory else { return nil }
    return ["/usr/bin/systemctl", "/bin/systemctl"].first { System.isFile($0) }
  }

  private func run(_ systemctl: String, _ words: [String]) throws(Failure) {
    let status: Int32
    do throws(SystemError) {
      status = try System.run(systemctl, ["systemctl", "--user"] + words, output: 2)
    } catch {
      throw Failure(.other, "systemctl", error.text)
    }
    guard status == 0 else {
      throw Failure(
        .other, "systemctl --user \(words.joined(separator: " "))", "it ended with \(status)",
        advice: "see what it says above; without a service manager of this user, use dray serve --detach")
    }
  }
}

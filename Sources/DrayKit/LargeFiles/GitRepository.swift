// What git says about a repository, by its own commands.

internal import DrayDocuments

/// A repository with a working directory in it. All questions go through programs with bounds on time and output.
struct GitRepository: Sendable {
  /// The absolute path of a directory from which git finds the repository.
  let directory: String
  let places: TokenPlaces

  /// Returns the output of a git command; `nil` if it fails.
  ///
  /// Git must not ask at the terminal: this process is no part of the terminal's foreground group, and would stop.
  func run(_ words: [String], input: String = "") async -> [UInt8]? {
    await places.ask(["env", "GIT_TERMINAL_PROMPT=0", "git", "-C", directory] + words, input)
  }

  private func line(_ words: [String]) async -> String? {
    guard let bytes = await run(words), var text = String(validating: bytes, as: UTF8.self) else { return nil }
    if text.hasSuffix("\n") { text.removeLast() }
    return text.isEmpty ? nil : text
  }

  /// Returns the absolute path of the directory that all working trees of the repository share.
  /// - Throws: Kind `usage` where there is no repository.
  func commonDirectory() async throws(Failure) -> String {
    guard let path = await line(["rev-parse", "--git-common-dir"]) else {
      throw Failure(
        .usage, directory, "not a git repository, or git is not installed",
        advice: "git-lfs starts this command itself: docs/clients.md says how")
    }
    return PathText.absolute(path, from: directory)
  }

  /// Returns the settings that matter for git-lfs.
  func settings() async -> GitSettings {
    GitSettings(await run(["config", "-z", "--get-regexp", #"^(lfs|remote\..*)\.(url|lfsurl|storage)$"#]) ?? [])
  }

  /// Returns the settings in `.lfsconfig`. In a clone that is being checked out, the file may only be in the commit.
  func sharedSettings() async -> GitSettings {
    let read = ["config", "-z", "--get-regexp", #"^(lfs|remote\..*)\.(url|lfsurl)$"#]
    if let top = await line(["rev-parse", "--show-toplevel"]) {
      let file = PathText.join(top, ".lfsconfig")
      if let bytes = await run(["config", "-f", file] + read.dropFirst()) { return GitSettings(bytes) }
    }
    return GitSettings(await run(["config", "--blob", "HEAD:.lfsconfig"] + read.dropFirst()) ?? [])
  }

  /// Returns the address of a remote, or another address, after git's rules for rewriting addresses.
  func address(_ remote: String) async -> String? { await line(["ls-remote", "--get-url", "--", remote]) }

  /// Returns git's settings for requests to a URL.
  func webSettings(_ url: RequestURL) async -> GitSettings {
    GitSettings(await run(["config", "-z", "--get-urlmatch", "http", url.string]) ?? [])
  }

  /// Returns the program that git uses for ssh, with its arguments before those of the connection.
  func shellProgram() async -> [String] {
    // git hands these lines to a shell, too.
    if let line = places.variable("GIT_SSH_COMMAND") { return ["sh", "-c", line + " \"$@\"", "ssh"] }
    if let line = await line(["config", "core.sshCommand"]) { return ["sh", "-c", line + " \"$@\"", "ssh"] }
    if let program = places.variable("GIT_SSH") { return [program] }
    // Nobody could answer a question of ssh.
    return ["ssh", "-o", "BatchMode=yes"]
  }

  /// Asks git for the account at a server; `nil` if git knows none.
  func credential(_ url: RequestURL, user: String?) async -> GitCredential? {
    guard let question = GitCredential.question(url, user: user) else { return nil }
    return await run(["credential", "fill"], input: question).flatMap { GitCredential($0) }
  }

  /// Tells git whether the server has accepted an account.
  func judge(_ credential: GitCredential, isAccepted: Bool) async {
    _ = await run(["credential", isAccepted ? "approve" : "reject"], input: credential.text)
  }
}

// Accounts of registries, where podman, skopeo and docker keep them.

package import DrayDocuments

extension TokenPlaces {
  /// The files with accounts, in the order in which they are read.
  var registryFiles: [String] {
    let configuration = variable("XDG_CONFIG_HOME") ?? home.map { PathText.join($0, ".config") }
    let docker = variable("DOCKER_CONFIG") ?? home.map { PathText.join($0, ".docker") }
    let files: [String?] = [
      variable("REGISTRY_AUTH_FILE"), variable("XDG_RUNTIME_DIR").map { PathText.join($0, "containers/auth.json") },
      configuration.map { PathText.join($0, "containers/auth.json") }, docker.map { PathText.join($0, "config.json") },
    ]
    return files.compactMap(\.self)
  }

  /// Whether to look for accounts. Clients that may not use this machine's accounts get none.
  var hasRegistryFiles: Bool { !registryFiles.isEmpty }

  /// Returns the account for an image; `nil` if there is none, as most registries need none to read public images.
  /// - Throws: Kind `usage` for a file that is not JSON. Without this error, an account would seem to be missing.
  package func registryAccount(for reference: ImageReference) async throws(Failure) -> RegistryAccount? {
    for file in registryFiles {
      guard let text = read(file), text.contains(where: { !$0.isWhitespace }) else { continue }
      let accounts: RegistryAccounts
      do throws(DocumentError) { accounts = try RegistryAccounts(text) } catch { throw error.failure(file) }
      for place in accounts.places(reference) {
        switch place {
        case .account(let account): return account
        case .helper(let name, let key):
          let answer = await ask(["docker-credential-\(name)", "get"], key)
          if let account = answer.flatMap({ RegistryAccounts.answer(of: $0) }) { return account }
        }
      }
    }
    return nil
  }
}

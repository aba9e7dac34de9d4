// Updates the trust of a job's target after a change of its options.

extension JobSpecification {
  /// Applies changed trust options to the target, too. Other values of the target stay, because the request's values
  /// may come from a section of the configuration for the source's host.
  /// - Parameter settings: The names of the changed settings.
  public mutating func trustTarget(changing settings: Set<String>) {
    guard var access = options.object?.access else { return }
    let old = access.signature.trust
    access.signature.trust = ServerTrust(
      caFile: settings.contains("cacert") ? request.caFile : old?.caFile,
      isInsecure: settings.contains("insecure") ? request.isInsecure : old?.isInsecure ?? false)
    if access.signature.trust != old { objectOptions.access = access }
  }
}

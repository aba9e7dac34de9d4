// Updates the trust of a job's target after a change of its options.

extension JobSpecification {
  /// Applies the trust of changed options to the target as well. Other values of the target stay, because a section of
  /// the configuration for the source's host may have set those of the request.
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

// Applies changed trust options of a job to the place of its target.

extension JobSpecification {
  /// Applies changed trust options to the object store of the target, too. Options that were not changed stay: the
  /// request may have its values from a configuration section for the source's host.
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

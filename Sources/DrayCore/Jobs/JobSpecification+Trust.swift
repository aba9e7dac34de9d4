// Applies changes of a job's trust options to the place of its target.

extension JobSpecification {
  /// Applies trust options that were changed to the object store of the target as well. Options that were not changed
  /// stay as they are there, because the request may have its values from a section of the configuration for the host
  /// of the source.
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

// Finds the access for discarding an upload whose job may be gone or may have moved to another server.

extension UploadMark {
  /// Returns the access for discarding an upload: the server and the region of the upload, with the keys of its job if
  /// these are for that server, or else with the keys in the environment. Keys of a profile are looked up later; `nil`
  /// means the access in the environment.
  /// - Parameters:
  ///   - place: The place of the upload's job, if the job still exists.
  ///   - environment: Returns the access of the environment.
  package func access(
    of place: DirectoryPlace?, environment: () throws(Failure) -> ObjectAccess
  ) throws(Failure) -> ObjectAccess? {
    guard let signature else { return nil }
    var access = ObjectAccess(signature: signature)
    guard signature.profile == nil else { return access }
    // The keys of a job that was changed may be for another server.
    let isHere = place?.object?.bucket == ObjectPlace(self.place)?.bucket && place?.server == server
    let keys: ObjectAccess
    if isHere, let own = place?.access, own.credentials != nil || own.signature.profile != nil {
      keys = own
    } else {
      keys = try environment()
    }
    (access.credentials, access.signature.sessionToken) = (keys.credentials, keys.signature.sessionToken)
    (access.signature.profile, access.signature.profileFiles) = (keys.signature.profile, keys.signature.profileFiles)
    return access
  }
}

// The access for discarding an upload, whose job may be gone or have another server.

extension UploadMark {
  /// Returns the access for discarding an upload: the upload's server and region with the keys of its job, or else with
  /// the environment's keys. Keys of a profile are looked up later; `nil` leaves the whole access to the environment.
  /// - Parameters:
  ///   - place: The place of the upload's job, if the job still exists.
  ///   - environment: Returns the access of the environment.
  public func access(
    of place: DirectoryPlace?, environment: () throws(Failure) -> ObjectAccess
  ) throws(Failure) -> ObjectAccess? {
    guard let signature else { return nil }
    var access = ObjectAccess(signature: signature)
    guard signature.profile == nil else { return access }
    // If the job was changed, its keys may be for another server.
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

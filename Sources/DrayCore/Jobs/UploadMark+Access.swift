// The access with which an upload can be discarded, whose job may be gone or have another server.

extension UploadMark {
  /// Returns the access with which an upload can be discarded: its server and region with the keys of its job, then with
  /// those of the environment. Keys of a profile are looked up later; `nil` leaves everything to the environment.
  /// - Parameters:
  ///   - place: The place of its job, if the job still exists.
  ///   - environment: Returns the access of the environment.
  public func access(
    of place: DirectoryPlace?, environment: () throws(Failure) -> ObjectAccess
  ) throws(Failure) -> ObjectAccess? {
    guard let signature else { return nil }
    var access = ObjectAccess(signature: signature)
    guard signature.profile == nil else { return access }
    // A changed job may now have keys for another server.
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

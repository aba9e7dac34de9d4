// The key of an SSH server: libcurl compares it with a file of known hosts and passes it here; unless this confirms
// that the key is valid, there is no connection.

internal import CCurl
internal import FoundationEssentials

/// The key that an SSH server showed.
public struct HostKey: Sendable, Equatable {
  /// The verdict of the file of known hosts.
  public enum Match: Sendable, Equatable {
    /// It is the one that is known.
    case known
    /// The file has none for this host.
    case unknown
    /// The file has another one for this host.
    case different
  }

  /// The key as received, in SSH's wire format: the input of fingerprints.
  public var bytes: [UInt8]
  /// The verdict of the file.
  public var match: Match
}

extension EasyHandle {
  /// Compares the key of an SSH server with a file of known hosts; only a key that is known there is accepted.
  /// - Parameters:
  ///   - file: the file; one that does not exist has no hosts.
  ///   - anyKey: accepts any key. Anyone can impersonate the server.
  public func checkHostKey(knownHosts file: String, anyKey: Bool) throws(CurlError) {
    takesAnyHostKey = anyKey
    // Without a file libcurl would compare nothing and accept everything.
    try set(.knownHosts, file)
    _ = ccurl_setopt_pointer(raw, CURLOPT_SSH_KEYDATA, Unmanaged.passUnretained(self).toOpaque())
    _ = ccurl_setopt_hostkey_callback(raw, CURLOPT_SSH_KEYFUNCTION, EasyHandle.onHostKey)
  }

  private static let onHostKey: curl_sshkeycallback = { _, _, found, match, context in
    guard let context, let found else { return Int32(CURLKHSTAT_REJECT.rawValue) }
    let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
    let key = found.pointee
    var bytes: [UInt8] = []
    if let start = key.key {
      if key.len > 0 {
        bytes = Array(UnsafeRawBufferPointer(start: start, count: key.len))
      } else {
        // Without a length it is base64.
        bytes = Data(base64Encoded: String(cString: start)).map(Array.init) ?? []
      }
    }
    let verdict: HostKey.Match =
      switch match {
      case CURLKHMATCH_OK: .known
      case CURLKHMATCH_MISMATCH: .different
      default: .unknown
      }
    handle.hostKey = HostKey(bytes: bytes, match: verdict)
    let isGood = verdict == .known || handle.takesAnyHostKey
    return Int32((isGood ? CURLKHSTAT_FINE : CURLKHSTAT_REJECT).rawValue)
  }
}

// The key of an SSH server. libcurl compares the key with a file of known hosts, and then asks this code. Unless this
// code confirms the key, there is no connection.

internal import CCurl
internal import FoundationEssentials

/// The key of an SSH server.
public struct HostKey: Sendable, Equatable {
  /// The result of comparing a key with the file of known hosts.
  public enum Match: Sendable, Equatable {
    /// The file has this key for the host.
    case known
    /// The file has no key for the host.
    case unknown
    /// The file has another key for the host.
    case different
  }

  /// The key in SSH's wire format, from which fingerprints are computed.
  public var bytes: [UInt8]
  /// The result of the comparison.
  public var match: Match
}

extension EasyHandle {
  /// Compares the key of an SSH server with a file of known hosts. Only a known key is accepted.
  /// - Parameters:
  ///   - file: The path of the file. A file that does not exist counts as one without hosts.
  ///   - anyKey: Whether every key is accepted. In that case, anyone can impersonate the server.
  public func checkHostKey(knownHosts file: String, anyKey: Bool) throws(CurlError) {
    takesAnyHostKey = anyKey
    // Without the name of a file, libcurl would compare nothing and accept every key.
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
        // If libcurl gives no length, the key is in base64.
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

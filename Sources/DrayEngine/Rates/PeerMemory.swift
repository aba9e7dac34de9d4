// Remembers the certificates of servers, because libcurl reports a certificate only when it opens a connection.

internal import Curl
internal import DrayCore

/// The certificates of recently used servers. Confined to the loop's thread.
final class PeerMemory {
  /// The maximum number of remembered servers. If it is exceeded, all servers are forgotten, and each certificate is
  /// read again.
  private static let limit = 256

  private var certificates: [Origin: CertificateRecord] = [:]

  /// Whether the certificate of a server must still be read. Reading a certificate costs as much as several requests.
  func wantsCertificate(of url: RequestURL) -> Bool {
    url.scheme == "https" && certificates[url.origin] == nil
  }

  func record(_ connection: ConnectionInfo, to url: RequestURL, _ info: TransferInfo, hasEnded: Bool)
    -> ConnectionRecord
  {
    if let certificate = CertificateRecord(lines: connection.certificate) {
      if certificates.count >= PeerMemory.limit { certificates = [:] }
      certificates[url.origin] = certificate
    }
    let tls = connection.tlsVersion.map {
      TLSRecord(version: $0, cipher: connection.cipher, certificate: certificates[url.origin])
    }
    return ConnectionRecord(
      address: connection.address, port: connection.port, isReused: info.newConnections == 0, tls: tls,
      timings: RequestTimings(info, hasEnded: hasEnded))
  }
}

extension RequestTimings {
  init(_ info: TransferInfo, hasEnded: Bool) {
    self.init(
      nameLookup: info.nameLookup, connect: info.connect, tls: info.tls > 0 ? info.tls : nil,
      firstByte: info.firstByte, total: hasEnded ? info.total : nil)
  }
}

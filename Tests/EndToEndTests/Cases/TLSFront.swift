// TLS in front of a fault server, so that all of its answers also work over https, and can end without close_notify.

import Foundation

/// A program that terminates TLS and passes bytes on. It ends with its sandbox.
struct TLSFront {
  /// `127.0.0.1:PORT`.
  let host: String
  /// The certificate of its authority, for `--cacert`.
  let authority: String

  /// Passes bytes on until the server ends the connection; sends close_notify if requested.
  private static let program = """
    import select, socket, ssl, struct, sys, threading
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    target, notice = int(sys.argv[3]), sys.argv[4] == "notice"
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    print(listener.getsockname()[1], flush=True)

    def serve(plain):
        try:
            with context.wrap_socket(plain, server_side=True) as secure, \\
                    socket.create_connection(("127.0.0.1", target)) as inner:
                secure.settimeout(60)
                while True:
                    ready = [secure] if secure.pending() else select.select([secure, inner], [], [])[0]
                    if secure in ready:
                        data = secure.recv(65536)
                        if not data:
                            return
                        inner.sendall(data)
                    if inner in ready:
                        data = inner.recv(65536)
                        if not data:
                            break
                        secure.sendall(data)
                if notice:
                    secure.settimeout(5)
                    secure.unwrap()
        except OSError:
            pass

    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
    """

  /// Starts the program in `sandbox`, in front of the port `server`.
  init(in sandbox: Sandbox, _ tls: FaultCase.TLS, server: UInt16) async throws {
    let certificates = try await Certificates(in: sandbox, [tls.certificate])
    let front = try sandbox.launch(
      try toolPath("python3"),
      [
        "-c", Self.program, certificates.certificate(tls.certificate), certificates.key(tls.certificate), "\(server)",
        tls.notice ? "notice" : "none",
      ])
    try await front.wait(for: "the port") { front.output.contains("\n") }
    authority = certificates.authority
    host = "127.0.0.1:" + front.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
